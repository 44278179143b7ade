/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { isTyping } from '../../../in-page/dom/elements.ts'

// The entry point of the page of one activity: explains statements, and keys that lead elsewhere.

const { dataset } = document.body

/** The plan of a statement, or why there is none. */
async function planOf(text: string): Promise<string> {
  const url = `/inspect/${dataset['number']}/explain/${text}`
  const headers = new Headers({ accept: 'application/json', 'x-inspector': 'explain' })
  if (dataset['token']) headers.set('x-csrf-token', dataset['token'])
  try {
    const response = await fetch(url, { method: 'POST', headers, cache: 'no-store' })
    const body: unknown = await response.json()
    if (typeof body === 'object' && body !== null && 'plan' in body) return String(body.plan)
    return `The server responded with status ${response.status}. Reload the page and try again.`
  } catch {
    return 'The server does not respond.'
  }
}

async function explain(button: HTMLButtonElement): Promise<void> {
  const place = button.closest('td')
  if (place === null) return
  button.disabled = true
  const text = await planOf(button.dataset['text'] ?? '')
  button.disabled = false
  const shown = place.querySelector('.plan') ?? document.createElement('pre')
  shown.className = 'plan'
  shown.setAttribute('role', 'status')
  shown.textContent = text
  place.append(shown)
}

for (const button of document.querySelectorAll<HTMLButtonElement>('.explain')) {
  button.hidden = false
  button.addEventListener('click', () => void explain(button))
}

const links = new Map([
  ['j', 'older'],
  ['k', 'newer'],
  ['Escape', 'back'],
])

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (event.key === '/') {
    event.preventDefault()
    location.assign('/inspect#search')
    return
  }
  const link = document.getElementById(links.get(event.key) ?? '')
  if (link === null) return
  event.preventDefault()
  link.click()
})
for (const element of document.querySelectorAll<HTMLElement>('.live')) element.hidden = false
