/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { addressOf, curlLine, readable } from '../request-parts.ts'

// The entry point of the page: sends the requests of its forms and shows what comes back.

const { dataset } = document.getElementById('page') ?? document.body
const tokenField = document.getElementById('token')

/** Longer bodies are cut: the page is to stay usable. */
const maxShown = 100_000

function headersOf(method: string): Headers {
  const headers = new Headers({
    accept: 'application/json, application/problem+json;q=0.9, */*;q=0.1',
  })
  const bearer = tokenField instanceof HTMLInputElement ? tokenField.value.trim() : ''
  if (bearer !== '') headers.set('authorization', `Bearer ${bearer}`)
  else if (method !== 'GET' && dataset['token']) headers.set('x-csrf-token', dataset['token'])
  return headers
}

function bodyOf(data: FormData, headers: Headers): BodyInit | null {
  const text = data.get('body')
  const files = [...data].filter(([, file]) => file instanceof File && file.size > 0)
  if (typeof text !== 'string') return null
  if (files.length === 0) {
    headers.set('content-type', 'application/json')
    return text
  }
  const form = new FormData()
  const fields: unknown = JSON.parse(text)
  for (const [name, value] of Object.entries(Object(fields))) form.append(name, String(value))
  for (const [name, file] of files) form.append(name.replace(/^file:/, ''), file)
  return form
}

/** Where the request of a form goes. */
function urlOf({ dataset: { path = '/' } }: HTMLFormElement, data: FormData): string {
  const typed = [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return addressOf(path, typed)
}

async function send(form: HTMLFormElement): Promise<HTMLElement[]> {
  const { method = 'GET' } = form.dataset
  const data = new FormData(form)
  const headers = headersOf(method)
  const started = performance.now()
  const url = urlOf(form, data)
  const body = bodyOf(data, headers)
  const response = await fetch(url, { method, headers, body, cache: 'no-store' })
  const text = await response.text()
  const took = Math.round(performance.now() - started)
  return [
    line(`${response.status} ${response.statusText}`, `${method} ${url}, ${took} ms`, response.ok),
    ...inspectorLink(response.headers.get('x-request-id')),
    headersPart(response.headers),
    block(
      readable(text, response.headers.get('content-type') ?? '').slice(0, maxShown) || 'no body',
    ),
  ]
}

function line(strong: string, more: string, isGood: boolean): HTMLElement {
  const shown = document.createElement('p')
  const className = isGood ? '' : 'failed'
  shown.append(make('b', { textContent: strong, className }), ` ${more}`)
  return shown
}

function inspectorLink(id: string | null): HTMLElement[] {
  if (id === null || !dataset['inspector']) return []
  const href = `${dataset['inspector']}/request/${encodeURIComponent(id)}`
  return [make('a', { href, textContent: 'In the inspector' })]
}

function headersPart(headers: Headers): HTMLElement {
  const details = document.createElement('details')
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  details.append(make('summary', { textContent: 'Headers' }), block(lines.join('\n')))
  return details
}

function block(text: string): HTMLElement {
  return make('pre', { tabIndex: 0, textContent: text })
}

function make(tag: string, properties: object): HTMLElement {
  return Object.assign(document.createElement(tag), properties)
}

async function showResponse(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button')
  const place = form.querySelector('.response')
  if (button === null || place === null) return
  button.disabled = true
  try {
    place.replaceChildren(...(await send(form)))
  } catch (error) {
    place.replaceChildren(line('Not sent.', String(error), false))
  }
  button.disabled = false
}

/** Copies the request as a command, and shows it: the clipboard may not be available. */
async function copyCurl(form: HTMLFormElement): Promise<void> {
  const place = form.querySelector('.response')
  const data = new FormData(form)
  const text = data.get('body')
  const files = [...data].flatMap(([name, file]) =>
    file instanceof File && file.size > 0 ? [[name.replace(/^file:/, ''), file.name] as const] : [],
  )
  try {
    const command = curlLine({
      method: form.dataset['method'] ?? 'GET',
      url: new URL(urlOf(form, data), location.href).href,
      takesToken: form.dataset['bearer'] === 'true',
      body: typeof text === 'string' ? text : null,
      files,
    })
    place?.replaceChildren(block(command))
    await navigator.clipboard.writeText(command)
    place?.prepend(line('Copied', '', true))
  } catch (error) {
    place?.prepend(line('Not copied.', String(error), false))
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
  form.hidden = false
  form.querySelector('.curl')?.addEventListener('click', () => void copyCurl(form))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void showResponse(form)
  })
}
for (const form of document.querySelectorAll<HTMLFormElement>('form.token')) {
  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
}

// A link to a schema or an operation opens what it leads to.
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target instanceof HTMLDetailsElement) target.open = true
}
addEventListener('hashchange', openTarget)
openTarget()
