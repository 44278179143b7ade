// Passkeys. Their buttons are hidden until this script knows that the browser can use them.

/** Texts in the language of the page by the English ones, see `partials/texts`; a page in English has none. */
const { href = null } = document.getElementById('texts') ?? {}
const texts = href === null ? {} : await (await fetch(href)).json().catch(() => ({}))

/** Challenges can be answered for five minutes; an older one that is on offer is replaced. */
const refreshMs = 240_000

const messages = {
  NotAllowedError: 'No passkey was used. You can try again.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this address.',
  TypeError: 'We could not reach the site. Please try again.',
}

/** The passkey that is on offer in a field: a browser waits for one at a time. */
let offered = null

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (typeof PublicKeyCredential === 'function') setUp(form)
  else say(form, t('This browser does not support passkeys.'))
}

function setUp(form) {
  const button = form.querySelector('button')
  button.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!button.hasAttribute('aria-busy')) void press(form, button)
  })
  if (form.hasAttribute('data-autofill')) void offer(form)
}

async function press(form, button) {
  offered?.abort()
  button.setAttribute('aria-busy', 'true')
  button.setAttribute('aria-disabled', 'true')
  say(form, '')
  try {
    send(form, await ask(form))
  } catch (error) {
    say(
      form,
      error instanceof Refusal
        ? error.message
        : t(messages[error.name] ?? messages.NotAllowedError),
    )
    if (form.hasAttribute('data-autofill')) void offer(form)
  } finally {
    button.removeAttribute('aria-busy')
    button.removeAttribute('aria-disabled')
  }
}

/** Lets the browser offer passkeys where it offers passwords, for as long as the page is open. */
async function offer(form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  const controller = new AbortController()
  offered = controller
  const timer = setTimeout(() => controller.abort('old'), refreshMs)
  try {
    send(form, await ask(form, { mediation: 'conditional', signal: controller.signal }))
  } catch {
    // The button still works.
    if (controller.signal.reason !== 'old') return
    await visible()
    if (offered === controller) void offer(form)
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until the page is looked at: a forgotten tab should not ask for ever. */
function visible() {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    look()
  })
}

/** An explanation of the server. */
class Refusal extends Error {}

/** Gets the options from the server, and what the authenticator makes of them. */
async function ask(form, more = {}) {
  const response = await fetch(`${form.getAttribute('action')}/options`, {
    method: 'POST',
    headers: { accept: 'application/json', 'x-csrf-token': field(form, '_token').value },
  })
  if (!response.ok) {
    const { error } = response.status === 409 ? await response.json() : {}
    throw new Refusal(error ?? t('This page has expired. Reload it and try again.'))
  }
  const options = await response.json()
  refuseForeignHost(options.rp?.id ?? options.rpId)
  return form.dataset.passkey === 'create'
    ? navigator.credentials.create({ publicKey: forCreation(options), ...more })
    : navigator.credentials.get({ publicKey: forRequest(options), ...more })
}

/** Browsers know the passkeys of a site only at its own name, and say no more than that this is another one. */
function refuseForeignHost(name) {
  const { hostname, origin } = location
  if (name === undefined || hostname === name || hostname.endsWith(`.${name}`)) return
  const address = origin.replace(hostname, name)
  throw new Refusal(
    t('Passkeys of this site work at {address} only. Open this page there.', { address }),
  )
}

/** Sends what the authenticator returned as a form, so that the response is a page like any other. */
function send(form, credential) {
  field(form, 'credential').value = JSON.stringify(asJson(credential))
  const remember = document.querySelector('input[type="checkbox"][name="remember"]')
  if (remember?.checked) {
    const copy = document.createElement('input')
    copy.type = 'hidden'
    copy.name = 'remember'
    copy.value = '1'
    form.append(copy)
  }
  form.submit()
}

function field(form, name) {
  return form.elements.namedItem(name)
}

function say(form, text) {
  form.querySelector('[role="status"]').textContent = text
}

/** Writes a text in the language of the page. */
function t(text, values = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name])
}

function forCreation(options) {
  if (PublicKeyCredential.parseCreationOptionsFromJSON) {
    return PublicKeyCredential.parseCreationOptionsFromJSON(options)
  }
  const { user, challenge, excludeCredentials } = options
  return {
    ...options,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(withBytes),
  }
}

function forRequest(options) {
  if (PublicKeyCredential.parseRequestOptionsFromJSON) {
    return PublicKeyCredential.parseRequestOptionsFromJSON(options)
  }
  const { challenge, allowCredentials } = options
  return {
    ...options,
    challenge: bytesOf(challenge),
    allowCredentials: allowCredentials.map(withBytes),
  }
}

function withBytes(credential) {
  return { ...credential, id: bytesOf(credential.id) }
}

function asJson(credential) {
  if (credential.toJSON) return credential.toJSON()
  const { id, type, response } = credential
  const names = [
    'clientDataJSON',
    'attestationObject',
    'authenticatorData',
    'signature',
    'userHandle',
  ]
  const present = names.filter((name) => response[name])
  const encoded = Object.fromEntries(present.map((name) => [name, textOf(response[name])]))
  return { id, type, response: { ...encoded, transports: response.getTransports?.() ?? [] } }
}

/** The bytes of a text in base64url. */
function bytesOf(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

/** The text of bytes in base64url. */
function textOf(bytes) {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
