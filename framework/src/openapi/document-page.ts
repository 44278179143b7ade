import { join } from 'node:path'
import { nonceAttribute } from '../errors/reports/html-document.ts'
import { html } from '../errors/reports/page-text.ts'
import { documentOf } from '../devtools/page-frame.ts'
import { modulePath } from '../devtools/page-modules.ts'
import type { DescribedApi, OpenApiDocument } from './open-api-document.ts'
import { operationPart } from './operation-part.ts'
import { schemaText } from './schema-text.ts'

/** The folder of its modules, for `serveModules`. */
export const modulesFolder: string = join(import.meta.dirname, 'in-page')

/** What the page needs besides the document. */
export interface DocumentPageOptions {
  readonly nonce: string
  /** The CSRF token of the visitor; empty without sessions. */
  readonly token: string
  /** Whether requests can be looked up at `/inspect`. */
  readonly hasInspector: boolean
}

/** The page to read and try an API. Without its script it can be read. */
export function documentPage(
  { document, notes }: DescribedApi,
  { nonce, token, hasInspector }: DocumentPageOptions,
): string {
  const { info } = document
  const groups = grouped(document)
  const count = [...groups.values()].flat().length
  const body =
    `<header><nav aria-label="Site"><a href="/">Back to the site</a></nav><h1>${html(info.title)} ` +
    `<small>${html(info.version)}</small></h1>` +
    (info.description === undefined ? '' : `<p class="note">${html(info.description)}</p>`) +
    `<p class="count">${count} ${count === 1 ? 'operation' : 'operations'}, ` +
    `<a href="/openapi.json">the document</a> (OpenAPI ${html(document.openapi)})</p></header><main>` +
    (count === 0 ? emptyText : '') +
    notesPart(notes) +
    ('bearer' in document.components.securitySchemes ? tokenField : '') +
    [...groups].map(([tag, parts]) => `<h2>${html(tag)}</h2>${parts.join('')}`).join('') +
    schemasPart(document) +
    `</main><div id="page" hidden data-token="${html(token)}" data-inspector="${hasInspector ? '/inspect' : ''}"></div>` +
    `<script type="module" src="/openapi/page/${modulePath(modulesFolder, 'dom/try')}"${nonceAttribute(nonce)}></script>`
  return documentOf(`${info.title}: API`, body, nonce, openApiStyle)
}

const emptyText =
  `<p class="card none">No route is listed yet. Those that declare <code>body</code>, <code>query</code> or ` +
  `<code>problems</code> are, those in a group with <code>errors: 'json'</code>, and any with ` +
  `<code>openapi: {}</code>.</p>`

const tokenField =
  `<form class="card token" hidden><label>API token<input id="token" type="password" autocomplete="off" ` +
  `spellcheck="false"></label> <span class="note">Sent with each request while it is here; without one, ` +
  `requests are those of your session.</span></form>`

/** The operations as HTML, by their first tag. */
function grouped(document: OpenApiDocument): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = 'Others'] = operation.tags ?? []
      const part = operationPart(method, path, operation, document)
      groups.set(tag, [...(groups.get(tag) ?? []), part])
    }
  }
  return groups
}

function notesPart(notes: readonly string[]): string {
  if (notes.length === 0) return ''
  return `<ul class="card notes">${notes.map((note) => `<li>${html(note)}</li>`).join('')}</ul>`
}

function schemasPart({ components: { schemas } }: OpenApiDocument): string {
  const parts = Object.entries(schemas).map(
    ([name, schema]) =>
      `<section id="schema-${html(encodeURIComponent(name))}"><h3>${html(name)}</h3>` +
      `<pre class="card schema" tabindex="0">${schemaText(schema)}</pre></section>`,
  )
  return parts.length === 0 ? '' : `<h2>Schemas</h2>${parts.join('')}`
}

/** What the page of the API needs besides the style of the other pages for developers. */
const openApiStyle = `
[hidden] { display: none !important }
h1 small { color: var(--soft); font-size: .6em; font-weight: 400; letter-spacing: 0 }
h3 { margin: 1.25rem 0 .4rem; font-size: 15px; font-weight: 600 }
.inner h3 { margin: 1.25rem 0 .4rem; font-size: 13px; color: var(--soft) }
details.operation { margin-top: .6rem }
.operation > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .8rem; margin: 0; padding: .7rem 1rem; color: var(--ink); font-weight: 400; list-style: none }
.operation > summary::-webkit-details-marker { display: none }
.operation > summary code { font-size: 14px; font-weight: 600; overflow-wrap: anywhere }
.operation > summary .about { color: var(--soft); font-size: 14px }
.operation > summary::after { content: ""; align-self: center; width: .5em; height: .5em; margin-left: auto; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(45deg) }
.operation[open] > summary::after { transform: rotate(225deg) }
.operation[open] > summary { border-bottom: 1px solid var(--line) }
.operation:target, section:target > .card { outline: 2px solid var(--link); outline-offset: 2px }
.method { min-width: 4.2rem; color: var(--ink); font: 700 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
.method.get { color: var(--link) } .method.post { color: var(--good) } .method.delete { color: var(--accent) }
.inner { padding: .4rem 1rem 1.1rem }
.inner .note { margin: .6rem 0 .3rem }
.description { margin-top: .6rem; white-space: pre-wrap }
.inner table { border: 1px solid var(--line); border-radius: 8px; border-collapse: separate; border-spacing: 0 }
.inner td, .inner th { padding: .4rem .8rem }
.inner tbody tr > td { border-top: 1px solid var(--line) }
.inner th { white-space: nowrap } .inner td:first-child { white-space: nowrap; width: 1% }
.responses td .schema { margin-top: .3rem }
.schema { padding: .6rem .8rem; border-radius: 8px; background: var(--ground); white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.6 }
.card.schema { background: var(--card) }
.schema b { font-weight: 600 } .schema i { color: var(--soft); font-style: normal }
.notes { margin-top: 1rem; border-color: var(--accent) }
.token { display: flex; flex-wrap: wrap; align-items: end; gap: .4rem 1.25rem; padding: .8rem 1rem }
.token label { flex: 1 1 20rem } .token .note { flex: 1 1 20rem }
label { display: grid; gap: .2rem; max-width: 30rem; font-size: 13px; color: var(--soft) }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 0 1rem }
.try label { margin-bottom: .6rem } .try label:has(textarea) { max-width: none }
input, textarea { min-width: 0; width: 100%; padding: 7px 10px; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--ink); font: 14px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
button { padding: 6px 16px; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; font-size: 14px; font-weight: 600; cursor: pointer }
button:hover { border-color: var(--link) } button:disabled { opacity: .6; cursor: progress }
.response:empty { display: none }
.response { margin-top: .8rem; padding-top: .8rem; border-top: 1px solid var(--line) }
.response .failed { color: var(--accent) }
.response pre { margin-top: .5rem; max-height: 24rem; overflow: auto; border-radius: 8px; background: var(--ground) }
.response details { margin-top: .5rem }
@media (max-width: 40rem) {
  .inner td:first-child { width: auto }
  .inner tbody tr > td + td { border-top: 0 }
  .method { min-width: 0 }
}
`.replaceAll(/\n\s*/g, '\n')
