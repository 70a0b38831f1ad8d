//! JavaScript and TypeScript.

use super::{check, reached};

#[tokio::test]
async fn every_form_of_an_import_counts() {
    let tree = "\
//- /lib/size.ts
export const a = 1;
//- /a.ts
import { a } from './lib/size';
//- /b.tsx
export * from \"./lib/size.js\"
//- /c.js
const s = require('./lib/size');
//- /d.ts
export const d = () => import(/* webpackChunkName: \"x\" */ `./lib/size`);
//- /e.ts
import s = require('./lib/size'); export {};
//- /f.mts
import '@/lib/size.ts';
//- /g.js
/** @type {import('./lib/size').A} */
module.exports = 1;
//- /h.ts
/// <reference path='lib/size.ts' />
export {}
//- /i.ts
export let x: typeof import('lib/size');
//- /j.ts
import {
  a
}
  // here
  from
  './lib/size'
//- /k.ts
import { a } from './lib/sizes';
//- /l.ts
export const x = './lib/size';
//- /m.ts
export { a as b } from '~/size';
//- /n.ts
import * as all from './b';
//- /lib/size.test.ts
import { a } from './size';
";
    check(
        tree,
        &[
            ("lib/size.ts", "a.ts b.tsx c.js d.ts e.ts f.mts g.js h.ts i.ts j.ts lib/size.test.ts m.ts n.ts"),
            ("b.tsx", "n.ts"),
            ("lib/size.test.ts", ""),
            ("n.ts", ""),
        ],
    )
    .await;
}

#[tokio::test]
async fn an_index_stands_for_its_directory() {
    let tree = "\
//- /ui/index.ts
export * from './button/index.js';
//- /ui/button/index.ts
export const b = 1;
//- /ui/button/parts.ts
import '.';
//- /ui/button/deep/x.ts
import b from '..';
//- /ui/y.ts
import './';
//- /app.ts
import { b } from './ui';
//- /other/index.ts
export const o = 1;
//- /z.ts
import '@/other/index';
";
    check(
        tree,
        &[
            ("ui/button/index.ts", "ui/button/deep/x.ts ui/button/parts.ts ui/index.ts z.ts app.ts ui/y.ts"),
            ("ui/index.ts", "app.ts ui/y.ts z.ts"),
            ("other/index.ts", "z.ts"),
        ],
    )
    .await;
}

#[tokio::test]
async fn barrels_and_cycles_end() {
    let tree = "\
//- /a.ts
import './c'; export default 1;
//- /b.ts
export { default as other } from './a';
//- /c.ts
import { other } from './b'; export {};
//- /d.ts
import * as ns from './c'; export { ns };
";
    check(tree, &[("a.ts", "b.ts c.ts d.ts"), ("d.ts", ""), ("c.ts", "a.ts d.ts b.ts")]).await;
}

#[tokio::test]
async fn what_is_for_everybody_reaches_everybody() {
    let tree = "\
//- /globals.d.ts
interface Window { a: number }
//- /script.ts
var shared = 1;
//- /augment.ts
export {}; declare global { interface A {} }
//- /more.ts
import 'vue'; declare module 'vue' { interface B {} }
//- /hidden.ts
/*
export const no = 1;
*/
var also = 1;
//- /inner.ts
namespace N {
export const x = 1;
}
//- /plain.ts
export const p = 1;
//- /licensed.ts
/* export */
// import
export const l = 1;
//- /common.js
exports.a = 1;
";
    let all = |but: &str| {
        let names = ["augment.ts", "common.js", "globals.d.ts", "hidden.ts", "inner.ts", "licensed.ts"];
        let rest = ["more.ts", "plain.ts", "script.ts"];
        names.iter().chain(&rest).filter(|name| **name != but).copied().collect::<Vec<_>>().join(" ")
    };
    for file in ["globals.d.ts", "script.ts", "augment.ts", "more.ts", "hidden.ts", "inner.ts"] {
        assert_eq!(reached(tree, file).await, all(file), "{file}");
    }
    check(tree, &[("plain.ts", ""), ("licensed.ts", ""), ("common.js", "")]).await;
}

#[tokio::test]
async fn what_is_reached_on_the_way_can_be_for_everybody() {
    let tree = "\
//- /a.ts
export type A = number;
//- /env.d.ts
declare global { var x: import('./a').A } export {};
//- /z.ts
export const z = x;
";
    check(tree, &[("a.ts", "env.d.ts z.ts")]).await;
}

#[tokio::test]
async fn settings_give_other_names() {
    let tree = "\
//- /tsconfig.json
{
  // paths
  \"extends\": \"./config/shared\",
  \"compilerOptions\": { \"paths\": {
    \"config\": [\"src/settings.ts\"],
    \"@acme/*\": [\"packages/*/src\"],
    \"~*\": [\"src/*\"],
    \"@lib\": [\"src/lib\"],
    \"*/testing\": [\"src/*/fakes/main.ts\",],
  }, },
}
//- /config/shared.json
{ \"compilerOptions\": { \"moduleSuffixes\": [\".ios\", \"\"], \"paths\": { \"far\": [\"src/near\"] } } }
//- /src/settings.ts
export const s = 1;
//- /packages/ui/src/index.ts
export const u = 1;
//- /src/tools.ts
export const t = 1;
//- /src/lib/index.ts
export const l = 1;
//- /src/a/fakes/main.ts
export const f = 1;
//- /src/screen.ios.ts
export const i = 1;
//- /src/near.ts
export const n = 1;
//- /src/u1.ts
import 'config';
//- /src/u2.ts
import '@acme/ui';
//- /src/u3.ts
import '~tools';
//- /src/u4.ts
import '@lib';
//- /src/u5.ts
import 'a/testing';
//- /src/u6.ts
import './screen';
//- /src/u7.ts
import 'far';
";
    check(
        tree,
        &[
            ("src/settings.ts", "src/u1.ts"),
            ("packages/ui/src/index.ts", "src/u2.ts"),
            ("src/tools.ts", "src/u3.ts"),
            ("src/lib/index.ts", "src/u4.ts"),
            ("src/a/fakes/main.ts", "src/u5.ts"),
            ("src/screen.ios.ts", "src/u6.ts"),
            ("src/near.ts", "src/u7.ts"),
        ],
    )
    .await;
}

#[tokio::test]
async fn packages_are_imported_by_their_names() {
    let tree = "\
//- /package.json
{ \"workspaces\": [\"packages/*\"] }
//- /packages/one/package.json
{ \"name\": \"@acme/first\", \"main\": \"dist/entry.js\", \"imports\": { \"#deep\": \"./src/inner.ts\" },
  \"exports\": { \".\": { \"types\": \"./dist/entry.d.ts\" }, \"./extra\": \"./dist/bonus.js\" } }
//- /packages/one/src/entry.ts
export const e = 1;
//- /packages/one/src/bonus.ts
export const b = 1;
//- /packages/one/src/inner.ts
export const i = 1;
//- /packages/one/src/user.ts
import '#deep';
//- /packages/two/src/entry.ts
export const other = 1;
//- /packages/two/src/a.ts
import { e } from '@acme/first';
//- /packages/two/src/b.ts
import { b } from '@acme/first/extra';
";
    check(
        tree,
        &[
            ("packages/one/src/entry.ts", "packages/two/src/a.ts"),
            ("packages/one/src/bonus.ts", "packages/two/src/b.ts"),
            ("packages/one/src/inner.ts", "packages/one/src/user.ts"),
            ("packages/two/src/entry.ts", ""),
        ],
    )
    .await;
    let broken = "//- /tsconfig.json\n{ \"compilerOptions\": \n//- /a.ts\nexport {}\n";
    check(broken, &[("a.ts", " ? `/tsconfig.json` cannot be read")]).await;
}

#[tokio::test]
async fn odd_files_are_read_all_the_same() {
    let tree = "\
//- /größe.ts
export const a = 1;
//- /Größe2.ts
export const a = 1;
//- /broken.ts
export function ( { from 'x' import './größe' ` \"
//- /escaped.ts
export * from './gr\\u00f6\u{df}e';
//- /crlf.ts
import {\r
  a\r
} from './größe2';\r
//- /plain.ts
export const a = 1;
//- /styles.d.css.ts
export const c: string;
//- /css.ts
import './styles.css';
";
    check(
        tree,
        &[
            ("größe.ts", "broken.ts escaped.ts"),
            ("Größe2.ts", "crlf.ts escaped.ts"),
            ("styles.d.css.ts", "css.ts escaped.ts"),
        ],
    )
    .await;
}
