export function open( {
  return 1;
