"use strict";
// Limits the projects of one tsserver to some places: the other files of a project are not read unless they are
// imported, open, or may declare something that is visible everywhere. The project's own tsconfig.json stays what
// decides everything else; nothing is written.
module.exports = () => {
  let places = null; // null: no limit
  const projects = new Set();
  const seen = new Map();

  const configure = (config) => {
    if (config && "places" in config) places = Array.isArray(config.places) ? config.places : null;
  };

  // Without an import or export of its own a file is a script, and what it declares is everybody's.
  const isAmbient = (text) =>
    /^\s*(export\s+)?declare\s+(global|module)\b/m.test(text) ||
    !(/^\s*(import|export)\b/m.test(text) || /\b(require\s*\(|module\.exports|exports\.)/.test(text));

  const declares = (file, host) => {
    if (/\.d(\.\w+)?\.[cm]?ts$/.test(file)) return true;
    if (/\.json$/.test(file)) return false;
    const now = Date.now();
    let known = seen.get(file);
    if (!known || now - known.looked > 1000) {
      const changed = host.getModifiedTime ? +(host.getModifiedTime(file) || 0) : 0;
      if (!known || known.changed !== changed) {
        known = { changed, ambient: isAmbient(host.readFile(file) || "") };
        seen.set(file, known);
      }
      known.looked = now;
    }
    return known.ambient;
  };

  return {
    create(info) {
      configure(info.config);
      const { languageServiceHost: host, project, serverHost } = info;
      const all = host.getScriptFileNames.bind(host);
      const isOpen = (file) => {
        const script = project.getScriptInfo && project.getScriptInfo(file);
        return !!script && script.isScriptOpen();
      };
      const wanted = (file) =>
        places.some((place) => file === place || file.startsWith(place + "/")) ||
        isOpen(file) ||
        declares(file, serverHost);
      host.getScriptFileNames = () => {
        const files = all();
        if (places === null) return files;
        try {
          return files.filter(wanted);
        } catch {
          // A tsserver that is made otherwise: better all files than wrong ones.
          return files;
        }
      };
      projects.add(project);
      return info.languageService;
    },

    onConfigurationChanged(config) {
      configure(config);
      for (const project of projects) {
        if (project.isClosed()) projects.delete(project);
        else {
          project.markAsDirty();
          project.updateGraph();
        }
      }
    },
  };
};
