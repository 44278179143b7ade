// Progressive enhancement: every page also works without this script.

/** Texts in the language of the page by the English ones, see `partials/texts`; a page in English has none. */
const { href = null } = document.getElementById('texts') ?? {}
const texts = href === null ? {} : await (await fetch(href)).json().catch(() => ({}))
const { lang } = document.documentElement

// The one that the page has loaded: its name has a fingerprint, which this script does not know.
const [sprite] = (
  document.querySelector('use[href*="/icons."]')?.getAttribute('href') ??
  new URL('icons.svg', import.meta.url).href
).split('#')

const levels = [
  'Too short',
  'Easy to guess: add another word or two',
  'Fair: another word would help',
  'Good',
  'Strong',
]

// The first guesses of any attacker.
const easy = /pass(?:word|wort)?|qwert[yz]?|asdf|abc|letmein|welcome|admin|login|iloveyou|dragon/g

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

for (const input of document.querySelectorAll('input[type="password"]')) addReveal(input)
for (const input of document.querySelectorAll('input[data-strength]')) addStrength(input)
for (const button of document.querySelectorAll('button[data-wait]')) addWait(button)
for (const line of document.querySelectorAll('[data-countdown]')) countDown(line)
for (const time of document.querySelectorAll('time[data-relative]')) showRelative(time)
for (const form of document.forms) sendOnce(form)

/**
 * Keeps a second click from sending a form again, and shows that it is being sent. The server ignores
 * the second one too, but only the browser can show the response to the first.
 */
function sendOnce(form) {
  let button = null
  let timer = 0
  form.addEventListener('submit', (event) => {
    if (timer !== 0) event.preventDefault()
    if (event.defaultPrevented) return
    button = event.submitter
    // Not `disabled`: the browser would leave out what the button itself sends.
    button?.setAttribute('aria-disabled', 'true')
    button?.setAttribute('aria-busy', 'true')
    // Visitors who stop the page from loading can try again.
    timer = setTimeout(release, 10_000)
  })
  // The back button restores the page as it was left.
  addEventListener('pageshow', release)

  function release() {
    clearTimeout(timer)
    timer = 0
    button?.removeAttribute('aria-disabled')
    button?.removeAttribute('aria-busy')
  }
}

/** Adds a button that shows the typed password. */
function addReveal(input) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'reveal'
  button.setAttribute('aria-controls', input.id)
  button.addEventListener('click', () => show(input.type === 'password'))
  // Browsers remember what was typed into plain text fields.
  input.form?.addEventListener('submit', () => show(false))
  show(false)
  input.after(button)

  function show(visible) {
    const name = input.labels?.[0]?.textContent ?? t('Password')
    // Only English writes a name in a sentence like any other word.
    const label = /^(?:en|$)/.test(lang) ? name.toLowerCase() : name
    input.type = visible ? 'text' : 'password'
    const words = document.createElement('span')
    words.className = 'unseen'
    words.textContent = visible ? t('Hide {label}', { label }) : t('Show {label}', { label })
    button.replaceChildren(icon(visible ? 'eye-off' : 'eye'), words)
  }
}

/** Adds a bar that shows how hard a password is to guess. Only the server decides what it accepts. */
function addStrength(input) {
  const meter = document.createElement('div')
  meter.className = 'strength'
  const words = document.createElement('p')
  words.setAttribute('role', 'status')
  const bars = Array.from({ length: 4 }, () => document.createElement('i'))
  meter.append(...bars, words)
  input.closest('.field')?.append(meter)
  input.addEventListener('input', judge)
  judge()

  function judge() {
    const email = input.form?.querySelector('[autocomplete^="username"]')
    const level = strengthOf(input.value, email?.value ?? '')
    meter.dataset.level = String(level)
    meter.classList.toggle('empty', input.value === '')
    const text = input.value === '' ? '' : t(levels[level])
    // Screen readers announce a text each time it is set.
    if (words.textContent !== text) words.textContent = text
  }
}

/** 0 if too short, else 1 to 4. Runs such as 1234 and aaaa and common words count little. */
function strengthOf(password, email) {
  if ([...password.normalize('NFC')].length < 8) return 0
  const [name = ''] = email.toLowerCase().split('@')
  let rest = password.toLowerCase()
  if (name.length > 2) rest = rest.replaceAll(name, '*')
  rest = rest.replaceAll(easy, '*')
  const steps = [...rest].filter((char, at, all) => at === 0 || !follows(all[at - 1], char))
  const bits = steps.length * Math.log2(alphabetSize(password))
  return [40, 60, 80].filter((enough) => bits >= enough).length + 1
}

function follows(before, char) {
  return Math.abs(before.codePointAt(0) - char.codePointAt(0)) < 2
}

/** The number of characters in the classes that a password uses. */
function alphabetSize(password) {
  const kinds = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^\da-zA-Z]/, 33],
  ]
  return kinds.reduce((sum, [kind, size]) => (kind.test(password) ? sum + size : sum), 0)
}

/** Shows a time relative to now, with the local time as its title. */
function showRelative(time) {
  const moment = new Date(time.dateTime)
  const seconds = (moment.getTime() - Date.now()) / 1000
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60]
  const words = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  time.title = moment.toLocaleString()
  time.textContent =
    Math.abs(seconds) < 60 ? t('just now') : words.format(Math.round(seconds / size), unit)
}

/** Disables a button for a while, since mail takes time. Changing the form enables it again. */
function addWait(button) {
  const label = button.textContent
  const end = Date.now() + Number(button.dataset.wait) * 1000
  let waits = true
  button.form?.addEventListener('input', () => {
    waits = false
    count()
  })
  count()

  function count() {
    const seconds = waits ? Math.ceil((end - Date.now()) / 1000) : 0
    button.disabled = seconds > 0
    button.textContent = seconds > 0 ? t('{label} in {seconds} s', { label, seconds }) : label
    if (seconds > 0) setTimeout(count, 1000)
  }
}

/** Shows how long to wait still. Screen readers announce each minute, not each second. */
function countDown(line) {
  const end = Date.now() + Number(line.dataset.countdown) * 1000
  const minutes = new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  })
  const shown = document.createElement('span')
  const spoken = document.createElement('span')
  shown.setAttribute('aria-hidden', 'true')
  spoken.className = 'unseen'
  spoken.setAttribute('aria-live', 'polite')
  line.append(shown, spoken)
  count()

  function count() {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    const time = new Date(seconds * 1000)
      .toISOString()
      .slice(11, 19)
      .replace(/^00:0?/, '')
    shown.textContent = sentence(seconds, time)
    const words = sentence(seconds, minutes.format(Math.ceil(seconds / 60)))
    if (spoken.textContent !== words) spoken.textContent = words
    if (seconds > 0) setTimeout(count, 1000)
  }

  function sentence(seconds, time) {
    return seconds > 0 ? t('Try again in {time}.', { time }) : t('You can try again now.')
  }
}

/** Writes a text in the language of the page. */
function t(text, values = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name])
}

function icon(name) {
  const namespace = 'http://www.w3.org/2000/svg'
  const picture = document.createElementNS(namespace, 'svg')
  picture.setAttribute('class', 'icon')
  picture.setAttribute('viewBox', '0 0 24 24')
  picture.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(namespace, 'use')
  use.setAttribute('href', `${sprite}#${name}`)
  picture.append(use)
  return picture
}
