import { isRecord, parsedRecord } from '../../base/is-record.ts'

/** What a browser returns from `navigator.credentials.create`, as far as it is used. */
export interface NewCredential {
  readonly id: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: readonly string[]
  readonly client: ClientData
}

/** What a browser returns from `navigator.credentials.get`. */
export interface Assertion {
  readonly id: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle: string | null
  readonly client: ClientData
}

/** What the browser has added and the authenticator has signed. */
export interface ClientData {
  readonly challenge: string
  /** Whether the page was in a frame of another site. */
  readonly crossOrigin: boolean
}

/** Longer than any with a key that is accepted. */
const maxLength = 16_384
/** An id has at most 1,023 bytes. */
const maxIdLength = 1364
const base64url = /^[\w-]+$/
const transportForm = /^[a-z-]{1,20}$/
const maxTransports = 4

/** Reads a new credential from the JSON of a form; null if it is none. */
export function readNewCredential(text: string): NewCredential | null {
  const credential = readCredential(text)
  if (credential === null) return null
  const { id, response, clientDataJSON, client } = credential
  const attestationObject = encoded(response['attestationObject'])
  if (attestationObject === null) return null
  const transports = Array.isArray(response['transports']) ? response['transports'] : []
  return {
    id,
    clientDataJSON,
    attestationObject,
    // The browser's own words, and only a hint for later.
    transports: transports.filter(isTransport).slice(0, maxTransports),
    client,
  }
}

/** Reads an assertion from the JSON of a form; null if it is none. */
export function readAssertion(text: string): Assertion | null {
  const credential = readCredential(text)
  if (credential === null) return null
  const { id, response, clientDataJSON, client } = credential
  const authenticatorData = encoded(response['authenticatorData'])
  const signature = encoded(response['signature'])
  if (authenticatorData === null || signature === null) return null
  const userHandle = encoded(response['userHandle'])
  return { id, clientDataJSON, authenticatorData, signature, userHandle, client }
}

function readCredential(text: string) {
  const credential = text.length > maxLength ? null : parsedRecord(text)
  if (credential === null || credential['type'] !== 'public-key') return null
  const id = encoded(credential['id'])
  const response = credential['response']
  if (id === null || id.length > maxIdLength || !isRecord(response)) return null
  const clientDataJSON = encoded(response['clientDataJSON'])
  const client = clientDataJSON === null ? null : readClientData(clientDataJSON)
  if (clientDataJSON === null || client === null) return null
  return { id, response, clientDataJSON, client }
}

function readClientData(text: string): ClientData | null {
  const data = parsedRecord(Buffer.from(text, 'base64url').toString())
  if (data === null || typeof data['challenge'] !== 'string') return null
  return { challenge: data['challenge'], crossOrigin: data['crossOrigin'] === true }
}

function encoded(value: unknown): string | null {
  return typeof value === 'string' && base64url.test(value) ? value : null
}

function isTransport(value: unknown): value is string {
  return typeof value === 'string' && transportForm.test(value)
}
