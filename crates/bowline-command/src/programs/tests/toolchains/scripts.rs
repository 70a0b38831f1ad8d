//! npm, node and their like.

use super::super::check;

#[test]
fn ordinary_work_says_what_it_runs() {
    check(
        r#"
        npm test => ~2, x .
        npm t => ~2, x .
        npm run build => ~2, x .
        npm run format => ~2, x .
        npm run lint -- --fix => ~2, x .
        npm run test:unit -- --watch=false => ~2, x .
        npm -s run build => ~3, x .
        npm run -s build => ~2, x .
        npm --silent test => ~3, x .
        npm test -- --watch=false => ~2, x .
        npm ci => ~2, x .
        npm i => ~2, x .
        npm install => ~2, x .
        npm install --save-dev jest => ~2, x .
        npm ls => ok
        npm ls --depth=0 => ok
        npm outdated => ok
        npm pkg get scripts => ok
        npm -v => ok
        npm --version => ok
        npm view react version => ok
        npm audit => ok
        npm run => ~2, x .
        npm run build --if-present => ~2, x .
        npm run build --workspace=packages/a => ~2, x .
        npm run build -w a => ~2, x .
        npm test --silent => ~2, x .
        npm install --no-audit --no-fund => ~2, x .
        npm why react => ok
        npm config get registry => ok
        npm root -g => ok
        npm run build --workspaces => ~2, x .
        npx tsc --noEmit => ~2, x .
        npx tsc --noEmit -p tsconfig.json => ~2, x ., x tsconfig.json
        npx tsc -b => ~2, x .
        npx tsc --outDir dist => ~2, x ., w dist/**
        npx jest => ~2, x .
        npx jest src/foo.test.ts => ~2, x .
        npx jest --coverage => ~2, x .
        npx jest -t 'name' --runInBand => ~2, x .
        npx jest --watchAll=false --json --outputFile=out.json => ~2, x ., w out.json
        npx eslint src => ~2, x ., r src/**, x src
        npx eslint . --ext .ts,.tsx => ~2, x ., r ./**
        npx eslint src --max-warnings 0 => ~2, x ., r src/**, x src
        npx eslint --fix src/a.ts => ~2, x ., w src/a.ts/**, x src/a.ts
        npx prettier --check . => ~2, x ., r ./**
        npx prettier --write src/a.ts => ~2, x ., w src/a.ts/**, x src/a.ts
        npx prettier --check "src/**/*.ts" => ~2, x ., r src/**/*.ts/**, x src/**/*.ts
        npx vitest run => ~2, x .
        npx vitest run src/a.test.ts --coverage => ~2, x .
        npx playwright test --project=chromium => ~2, x .
        npx playwright test tests/a.spec.ts --reporter=list => ~2, x .
        npx mocha tests/a.js => ~2, x ., x tests/a.js
        npx -y prettier --check src => ~3, x ., r src/**, x src
        pnpm test => ~2, x .
        pnpm run build => ~2, x .
        pnpm build => ~2, x .
        pnpm -r test => ~3, x .
        pnpm install => ~2, x .
        pnpm --filter a test => ~4, x .
        yarn => ~1, x .
        yarn test => ~2, x .
        yarn build => ~2, x .
        yarn run lint => ~2, x .
        bun test => ~2, x .
        bun run build => ~2, x .
        deno test => ~2, x .
        node --test => ~2, x .
        node --test tests/a.test.js => ~2, x ., x tests/a.test.js
        node --check a.js => r a.js
        node -v => ok
        node scripts/x.js --flag => ~2, x scripts/x.js
        "#,
    );
}

#[test]
fn other_code_and_other_files_are_seen() {
    check(
        r#"
        npm -prefi=/out test => ~3, x /out, x .
        npm --pref /out run build => ~all, x .
        npm -C /out test => ~4, x /out, x .
        npm --C /out test => ~4, x /out, x .
        npm run build --prefix /out => ~2, x /out, x .
        npm run build -prefix=../out => ~2, x ../out, x .
        npm run --script-shell=evil build => ~all, shell [evil], x .
        npm run build -script-she=evil => ~all, shell [evil], x .
        npm run build --script-s evil => ~all, shell [evil], x .
        npm run build -s -script-shell evil => ~all, shell [evil], x .
        npm run build --node-options=--require=./evil.js => ~all, x .
        npm run build -node-opt=--require=./evil.js => ~all, x .
        npm run build --node-gyp=evil => ~all, shell [evil], x .
        npm test --userconfig=evil.npmrc => ~all, x .
        npm test --globalconf evil.npmrc => ~all, x .
        npm run build --shell evil => ~all, shell [evil], x .
        npm run build --cache prot => ~2, w prot/**, x .
        npm run build --logs-dir=prot => ~2, w prot/**, x .
        npm --logs-d=prot test => ~3, w prot/**, x .
        npm ls --logs-dir prot => w prot/**
        npm ls --userconfig evil => ~all, x .
        npm exec -c evil => ~all, shell [evil], x .
        npm exec -- evil => ~4, x .
        npm x evil => ~3, x .
        npm exec evil => ~3, x .
        npm explore react -- evil => ~all, x .
        npm publish => ~2, x .
        npm publis => ~2, x .
        npm unpublish => ~2, x .
        npm config set script-shell evil => ~all, x .
        npm set script-shell evil => ~all, x .
        npm c set script-shell=evil => ~all, x .
        npm pkg set scripts.test=evil => ~3, w package.json, x .
        npm version patch => ~2, x .
        npm link ../out => ~2, x ../out, x .
        npm install ../out => ~2, x ../out, x .
        npm install /out => ~2, x /out, x .
        npm install -g evil => ~all, x .
        npm i --global evil => ~all, x .
        npm install --git=evil x => ~all, shell [evil], x .
        npm install --prefix prot x => ~2, x prot, x .
        npm pack --pack-destination prot => ~2, w prot/**, x .
        npm pack --pack-dest=prot => ~2, w prot/**, x .
        npm init evil => ~2, x .
        npm create evil => ~2, x .
        npm audit --json fix => ~4, x .
        npm config --json set x y => ~all, x .
        npm audit fix => ~3, x .
        npm edit react => ~all, x .
        npm help test --viewer=evil => ~all, shell [evil], x .
        npm rum build --no-prefix --pre=/out => ~all, x .
        npm -- run build => ~all, x .
        npm $X run build => ~all, x .
        npm run build $X => ~all, x .
        npm "--$X" run build => ~all, x .
        npm run build --python=evil => ~all, x .
        npm test --no-color --C ../out => ~2, x ../out, x .
        npm ls --browser=evil => ~all, x .
        npm view x --git evil => ~all, shell [evil], x .
        npx evil => ~2, x .
        npx -c evil => ~all, shell [evil], x .
        npx --call=evil => ~all, shell [evil], x .
        npx -p evil tsc => ~all, x .
        npx --package=evil tsc --noEmit => ~all, x .
        npx -y evil => ~3, x .
        npx --yes evil tsc => ~3, x .
        npx --shell=evil -c x => ~all, shell [evil], shell [x], x .
        npx tsc --outDir prot => ~2, x ., w prot/**
        npx tsc -p /out => ~2, x ., x /out
        npx tsc --outFile prot/x.js => ~2, x ., w prot/x.js
        npx tsc -outDir prot => ~all, x ., r prot/**
        npx tsc --declarationDir prot => ~2, x ., w prot/**
        npx tsc --tsBuildInfoFile prot/x --incremental => ~2, x ., w prot/x
        npx tsc --generateTrace prot => ~2, x ., w prot/**
        npx tsc @prot/args => ~all, x ., r @prot/args/**
        npx tsc --OUTDIR prot => ~all, x ., r prot/**
        npx eslint -o prot/x src => ~2, x ., w prot/x, r src/**, x src
        npx eslint --output-file=prot/x src => ~2, x ., w prot/x, r src/**, x src
        npx eslint --fix prot => ~2, x ., w prot/**, x prot
        npx eslint --fix secrets/a.js => ~2, x ., w secrets/a.js/**, x secrets/a.js
        npx eslint -c /out/e.js src => ~2, x ., x /out/e.js, r src/**, x src
        npx eslint --rulesdir /out src => ~all, x ., r /out/**, x /out, r src/**, x src
        npx eslint --resolve-plugins-relative-to /out src => ~all, x ., r /out/**, x /out, r src/**, x src
        npx eslint --plugin evil src => ~all, x ., r evil/**, x evil, r src/**, x src
        npx eslint --parser evil src => ~all, x ., r evil/**, x evil, r src/**, x src
        npx eslint -f ./evil.js src => ~all, x ., r src/**, x src
        npx eslint --format /out/f.js src => ~all, x ., r src/**, x src
        npx eslint --cache --cache-location prot/ src => ~2, x ., w prot//**, r src/**, x src
        npx eslint /out => ~2, x ., r /out/**, x /out
        npx eslint --init => ~all, x ., r ./**
        npx jest --config /out/j.js => ~2, x ., x /out/j.js
        npx jest -c '{"globalSetup":"./evil.js"}' => ~all, x ., x {"globalSetup":"./evil.js"}
        npx jest --globalSetup ./evil.js => ~all, x .
        npx jest --setupFiles ./evil.js => ~all, x .
        npx jest --testRunner=./evil.js => ~all, x .
        npx jest --runner ./evil => ~all, x .
        npx jest --transform x => ~all, x .
        npx jest --reporters ./evil.js => ~all, x .
        npx jest --outputFile=prot/x --json => ~2, x ., w prot/x
        npx jest --coverageDirectory prot => ~2, x ., w prot/**
        npx jest --cacheDirectory prot => ~2, x ., w prot/**
        npx jest --rootDir /out => ~2, x ., x /out
        npx jest --testEnvironment ./evil.js => ~all, x .
        npx jest --coverageReporters ./evil => ~all, x .
        npx jest --filter ./evil.js => ~all, x .
        npx prettier --write prot/x.json => ~2, x ., w prot/x.json/**, x prot/x.json
        npx prettier --write secrets => ~2, x ., w secrets/**, x secrets
        npx prettier --plugin ./evil.js --check . => ~all, x ., r ./evil.js/**, x ./evil.js, r ./**
        npx prettier --config /out/p.js --check . => ~2, x ., x /out/p.js, r ./**
        npx prettier --check --write prot => ~2, x ., w prot/**, x prot
        npx prettier --cache --cache-location prot/c --check . => ~2, x ., w prot/c/**, r ./**
        npx prettier --write . => ~2, x ., w ./**
        npx vitest run --config /out/v.ts => ~2, x ., x /out/v.ts
        npx vitest --root ../out run => ~2, x ., x ../out
        npx vitest --outputFile prot/x --reporter=json => ~2, x ., w prot/x
        npx vitest run --coverage.reportsDirectory=prot => ~2, x ., w prot/**
        npx vitest --globalSetup evil => ~all, x .
        npx mocha -r ./evil.js => ~all, x .
        npx mocha --require ./evil.js tests => ~all, x ., x tests
        npx mocha --config /out/m.js => ~2, x ., x /out/m.js
        npx mocha ../out/t.js => ~2, x ., x ../out/t.js
        npx mocha -R ./evil.js => ~all, x .
        npx playwright test -c /out/p.ts => ~2, x ., x /out/p.ts
        npx playwright test --output prot => ~2, x ., w prot/**
        npx playwright test --reporter=./evil.ts => ~all, x .
        npx playwright codegen -o prot/x => ~all, x .
        npx @openai/codex --yolo => NEVER, ~all, x .
        npm exec @openai/codex -- --yolo => NEVER, ~all, x .
        node help => ~2, x help
        node -r ./evil.js scripts/x.js => ~all
        node --import ./evil.mjs scripts/x.js => ~all
        node --test --import ./evil.mjs => ~all
        node --test --test-reporter=./evil.mjs => ~all, x .
        node --test --test-reporter=junit --test-reporter-destination=prot/x => ~2, w prot/x, x .
        node --test ../out/a.test.js => ~2, x ., x ../out/a.test.js
        node --env-file=evil.env --test => ~all
        node --cpu-prof --cpu-prof-dir=prot scripts/x.js => ~all
        node --redirect-warnings=prot/x scripts/x.js => ~all
        node --trace-event-file-pattern=prot/x --test => ~all
        node --check --eval x => ~all
        pnpm -C /out test => ~4, x ., cd /out
        pnpm --dir /out run build => ~4, x ., cd /out
        pnpm --script-shell=evil run build => ~all, shell [evil], x .
        pnpm exec evil => ~3, x .
        pnpm dlx evil => ~3, x .
        pnpm -c exec evil => ~all, x .
        yarn --cwd /out test => ~4, x ., cd /out
        yarn test --cwd /out => ~2, x ., cd /out
        yarn dlx evil => ~3, x .
        yarn node evil.js => ~3, x .
        bun run --preload ./evil.ts build => ~all, x .
        bun test --preload ./evil.ts => ~all, x .
        bun test -r ./evil.ts => ~all, x .
        bun --cwd /out test => ~4, x ., cd /out
        bun test --reporter=junit --reporter-outfile=prot/x => ~2, w prot/x, x .
        bun build x.ts --outdir prot => ~2, w prot/**, x .
        bun -e evil => ~all, x .
        deno test -A => ~all, x .
        deno test --junit-path=prot/x => ~2, w prot/x, x .
        deno test --preload ./evil.ts => ~all, x .
        deno test --coverage=prot => ~2, w prot/**, x .
        deno test --config /tmp/x.json => ~all, x .
        "#,
    );
}
