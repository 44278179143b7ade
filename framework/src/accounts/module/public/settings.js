// Progressive enhancement of the settings: every page also works without this script.

/** Texts in the language of the page by the English ones, see `partials/texts`; a page in English has none. */
const { href = null } = document.getElementById('texts') ?? {}
const texts = href === null ? {} : await (await fetch(href)).json().catch(() => ({}))
const t = (text) => texts[text] ?? text

for (const place of document.querySelectorAll('[data-print]')) addPrint(place)
for (const place of document.querySelectorAll('[data-copy]')) addCopy(place)

function addPrint(place) {
  place.append(buttonFor(t('Print'), () => print()))
}

/** Adds a button that copies the secret in the element with the id `data-copy`. */
function addCopy(place) {
  const source = document.getElementById(place.dataset.copy)
  // Browsers have a clipboard only on sites with TLS and on this machine.
  if (source === null || navigator.clipboard === undefined) return
  const status = document.createElement('span')
  status.setAttribute('role', 'status')
  place.append(buttonFor(place.dataset.label, copy), status)

  async function copy() {
    const secrets = [...source.querySelectorAll('code')].map((code) => code.textContent)
    try {
      // Spaces only group the characters for reading.
      await navigator.clipboard.writeText(secrets.join('\n').replaceAll(' ', ''))
      status.textContent = t('Copied')
    } catch {
      getSelection()?.selectAllChildren(source)
      status.textContent = t('Blocked by the browser: copy the selected text yourself')
    }
  }
}

function buttonFor(label, press) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button small quiet'
  button.textContent = label
  button.addEventListener('click', press)
  return button
}
