/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { addressOf, readable } from '../request-parts.ts'

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
  const files = data.getAll('files').filter((file) => file instanceof File && file.size > 0)
  if (typeof text !== 'string') return null
  if (files.length === 0) {
    headers.set('content-type', 'application/json')
    return text
  }
  const form = new FormData()
  const fields: unknown = JSON.parse(text)
  for (const [name, value] of Object.entries(Object(fields))) form.append(name, String(value))
  for (const file of files) form.append('files', file)
  return form
}

async function send(form: HTMLFormElement): Promise<HTMLElement[]> {
  const { method = 'GET', path = '/' } = form.dataset
  const data = new FormData(form)
  const typed = [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const headers = headersOf(method)
  const started = performance.now()
  const url = addressOf(path, typed)
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
  const status = document.createElement('b')
  status.textContent = strong
  status.className = isGood ? '' : 'failed'
  shown.append(status, ` ${more}`)
  return shown
}

function inspectorLink(id: string | null): HTMLElement[] {
  if (id === null || !dataset['inspector']) return []
  const link = document.createElement('a')
  link.href = `${dataset['inspector']}/request/${encodeURIComponent(id)}`
  link.textContent = 'In the inspector'
  return [link]
}

function headersPart(headers: Headers): HTMLElement {
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = 'Headers'
  details.append(
    summary,
    block([...headers].map(([name, value]) => `${name}: ${value}`).join('\n')),
  )
  return details
}

function block(text: string): HTMLElement {
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.textContent = text
  return pre
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

for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
  form.hidden = false
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
