import { maxFrames } from '../stack/frames.ts'

/**
 * The colours of the page by role, light and dark. Every text and background pair has a contrast
 * of at least 4.5:1, including code on the marked line.
 */
export const debugColours: string = `
:root {
  color-scheme: light dark;
  --ground: #f5f3ee;
  --card: #fffefb;
  --sunken: #faf8f3;
  --ink: #20242c;
  --soft: #5a606b;
  --line: #e0dbd0;
  --accent: #a8281c;
  --accent-soft: #fbe6e1;
  --link: #1a4f8b;
  --marked: #fbe9e4;
  --keyword: #8a2b8f;
  --literal: #9a4a00;
  --text: #1f6b3a;
  --comment: #666b74;
  --name: #1a4f8b;
  --type: #0b6470;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15171c;
    --card: #1c1f26;
    --sunken: #191c22;
    --ink: #e8e6e1;
    --soft: #a3a8b3;
    --line: #31353f;
    --accent: #ff9b8a;
    --accent-soft: #43211f;
    --link: #93c0f5;
    --marked: #3a2324;
    --keyword: #dc9be0;
    --literal: #f0b072;
    --text: #93d0a2;
    --comment: #9aa0ab;
    --name: #93c0f5;
    --type: #7fd0d8;
  }
}
`

const layout = `
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth }
body {
  margin: 0 auto;
  max-width: 84rem;
  padding: 0 clamp(1rem, 3vw, 2.5rem) 4rem;
  background: var(--ground);
  color: var(--ink);
  font: 15px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
code, pre, textarea {
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  font-size: 13px;
}
code { overflow-wrap: anywhere }
pre { margin: 0 }
a { color: var(--link); text-underline-offset: 3px; text-decoration-thickness: 1px }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
summary { cursor: pointer }
.none { margin: 0; padding: 1rem; color: var(--soft) }

header { padding: clamp(1.5rem, 4vw, 2.75rem) 0 1.75rem }
h1, h2, h3, p, ul, ol { margin: 0 }
h1, h2 { font-weight: 600; overflow-wrap: anywhere }
.class {
  display: inline-block;
  padding: 2px 10px;
  border-radius: 6px;
  background: var(--accent-soft);
  color: var(--accent);
  font: 600 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
.message { display: block; margin-top: .75rem; letter-spacing: -.015em; line-height: 1.2 }
.message em { color: var(--soft) }
h1 .message { font-size: clamp(1.5rem, 1.1rem + 1.9vw, 2.4rem) }
h2 .message { font-size: 1.3rem }
.rest {
  margin-top: 1rem;
  padding: .9rem 1.1rem;
  border-left: 3px solid var(--line);
  background: var(--card);
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  line-height: 1.6;
}
.more { margin-top: 1rem; color: var(--soft) }
.more .rest { color: var(--ink) }
.thrown { margin-top: .9rem; color: var(--soft) }
.tools {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: .6rem 1.2rem;
  margin-top: 1rem;
  color: var(--soft);
}
button {
  padding: 5px 14px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--card);
  color: var(--ink);
  font: inherit;
  font-size: 14px;
  cursor: pointer;
}
button:hover { border-color: var(--soft) }
nav ul { margin-top: 1.25rem; padding: 0; list-style: none }
nav li { padding: .15rem 0; overflow-wrap: anywhere }
.relation { color: var(--soft); font-size: 13px }
nav .relation { display: inline-block; min-width: 6.5rem }

.error + .error { margin-top: 2.75rem }
.error h2 { margin-bottom: .35rem }
.error .relation { margin-bottom: .25rem }
.error .thrown { margin: .35rem 0 1rem }
.stack {
  display: grid;
  grid-template-columns: minmax(15rem, 21rem) minmax(0, 1fr);
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--card);
  overflow: clip;
}
.frames {
  min-width: 0;
  margin: 0;
  padding: .5rem 0 .75rem;
  border: 0;
  border-right: 1px solid var(--line);
  background: var(--sunken);
}
.frames legend {
  float: left;
  width: 100%;
  padding: .4rem 1rem .5rem;
  color: var(--soft);
  font-size: 13px;
  font-weight: 600;
}
.frames ol { clear: both; padding: 0; list-style: none }
.frames li { position: relative }
.frames input { position: absolute; top: .9rem; left: 1rem; width: 1px; height: 1px; margin: 0; opacity: 0 }
.frame { display: block; padding: .45rem 1rem .45rem calc(1rem - 3px); border-left: 3px solid transparent }
label.frame { cursor: pointer }
label.frame:hover { background: var(--card) }
div.frame { color: var(--soft) }
.frame span { display: block; overflow-wrap: anywhere }
.call { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
.at { color: var(--soft); font-size: 12.5px }
:checked + .frame { border-left-color: var(--accent); background: var(--card) }
:checked + .frame .call { font-weight: 700 }
:focus-visible + .frame { outline: 2px solid var(--link); outline-offset: -2px }
.frames summary { padding: .45rem 1rem; color: var(--soft); font-size: 13px }
.frames details ol { margin-left: .6rem }
.panels { min-width: 0 }
.panel { margin: 0 }
figcaption {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: .25rem 1.25rem;
  padding: .8rem 1.1rem;
  border-bottom: 1px solid var(--line);
}
.expression {
  max-width: 100%;
  overflow: hidden;
  color: var(--soft);
  font-size: 13px;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.code { overflow-x: auto; padding: .75rem 0 }
.code:focus-visible { outline-offset: -2px }
.code code {
  display: block;
  width: max-content;
  min-width: 100%;
  line-height: 1.7;
  tab-size: 4;
  overflow-wrap: normal;
}
.l { display: block; padding-right: 1.5rem; background: none; color: inherit }
.l::before {
  content: attr(data-n);
  display: inline-block;
  width: 4.5rem;
  padding-right: 1.25rem;
  color: var(--soft);
  text-align: right;
  user-select: none;
}
mark.l { background: var(--marked); box-shadow: inset 3px 0 var(--accent) }
mark.l::before { content: "\\25B6\\FE0E  " attr(data-n); color: var(--accent); font-weight: 700 }

.title { margin: 1.75rem 0 .6rem; font-size: 14px; font-weight: 600; color: var(--soft) }
table {
  width: 100%;
  table-layout: fixed;
  border-collapse: separate;
  border-spacing: 0;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--card);
}
th, td {
  padding: .5rem .9rem;
  text-align: left;
  vertical-align: top;
  font: 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  overflow-wrap: anywhere;
}
tr + tr > * { border-top: 1px solid var(--line) }
th { width: 11rem; color: var(--soft); font-weight: 400 }
td { white-space: pre-wrap }
td:empty::after { content: "empty"; color: var(--soft) }
.context { margin-top: 3rem }
.context h2 { font-size: 1.3rem }
.tables { columns: 30rem; column-gap: 2rem }
.tables > section { break-inside: avoid; padding-top: 1.25rem }
.tables .title { margin-top: 0 }
.tables .none { padding: 0 }
textarea {
  width: 100%;
  height: 24rem;
  margin-top: 2rem;
  padding: 1rem;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--card);
  color: var(--ink);
}
[hidden] { display: none }

@media (max-width: 52rem) {
  .stack { grid-template-columns: minmax(0, 1fr) }
  .frames { border-right: 0; border-bottom: 1px solid var(--line) }
  nav li { padding: .35rem 0 }
  nav .relation { display: block }
  .l::before { width: 3.25rem; padding-right: .75rem }
  th, td { display: block; width: auto }
  tr + tr > td { border-top: 0 }
  th { padding-bottom: 0 }
  td { padding-top: .1rem }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
`

const tokens = ['keyword', 'literal', 'text', 'comment', 'name', 'type']
  .map((kind) => `.t-${kind} { color: var(--${kind}) }`)
  .join('\n')

const frames = Array.from({ length: maxFrames }, (_, at) => at)

/** Shows the source of the selected frame without a script; browsers without `:has` show all. */
const choice = `
@supports selector(:has(a)) {
  .panel { display: none }
  ${frames.map((at) => `.stack:has(.f${at}:checked) .p${at}`).join(',')} { display: block }
}
`

/** The CSS of the page. */
export const pageStyle: string = `${debugColours}${layout}${tokens}${choice}`.replaceAll(
  /\n\s*/g,
  '\n',
)
