import { domainToASCII } from 'node:url'
import { printable } from '../../base/encoding/printable.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { assertHeaderText } from './header-text.ts'

/** A mailbox: where mail goes, and whom it is meant for. */
export interface Address {
  /** The domain in lower case and in its ASCII form. */
  readonly address: string
  /** Empty when nobody is named. */
  readonly name: string
}

/** How a mailbox is given: `ada@example.org`, `Ada <ada@example.org>`, or the two parts. */
export type AddressInput = string | { readonly address: string; readonly name?: string }

/** The sender of mails when nobody named one. */
export const DEFAULT_SENDER = 'no-reply@localhost'

const maxAddressLength = 254
const maxLocalLength = 64
const maxShownLength = 100

const named = /^([^<>]*)<([^<>]*)>$/
// Quoted local parts are legal and unused; readers disagree on them, so they are left out.
const local = /^(?:[\w!#$%&'*+/=?^`{|}~.-]|[^\p{ASCII}\p{C}\p{Z}])+$/u
// The mapping of domains below is that of URLs: it would cut or decode at these characters.
const foreignToDomains = /[\s/\\?#%@:[\]\p{Cc}]/u
// The last label begins with a letter: an IP address is no domain.
const domainLabels =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Reads one mailbox; `field` names it in errors.
 * @throws InvalidArgumentException for what is none, is more than one, or would break its header.
 */
export function parseAddress(field: string, input: AddressInput): Address {
  const { address, name = '' } = typeof input === 'string' ? splitName(input) : input
  if (typeof address !== 'string') throw refused(field, String(address), 'it is no text')
  assertHeaderText(`the name in ${field}`, name)
  return Object.freeze({ address: checkedAddress(field, address), name: name.trim() })
}

/**
 * Reads one mailbox or a list of them.
 * @throws InvalidArgumentException like `parseAddress`.
 */
export function parseAddresses(
  field: string,
  input: AddressInput | readonly AddressInput[],
): readonly Address[] {
  const inputs = typeof input === 'string' || 'address' in input ? [input] : input
  return inputs.map((one) => parseAddress(field, one))
}

function splitName(text: string): { address: string; name: string } {
  const [, name, address] = named.exec(text) ?? []
  if (name === undefined || address === undefined) return { address: text, name: '' }
  // Spaces only: a line break at the end is still a line break.
  const bare = name.replaceAll(/^ +| +$/g, '')
  return { address, name: bare.replace(/^"(.*)"$/, '$1') }
}

function checkedAddress(field: string, text: string): string {
  const at = text.lastIndexOf('@')
  if (at === -1) throw refused(field, text, 'there is no @')
  const mailbox = text.slice(0, at)
  if (!isLocalPart(mailbox)) throw refused(field, text, 'what stands before the @ names no mailbox')
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === null) throw refused(field, text, 'what stands after the @ is no domain')
  const address = `${mailbox}@${domain}`
  if (Buffer.byteLength(address) > maxAddressLength) {
    throw refused(field, text, `it is longer than ${maxAddressLength} bytes`)
  }
  return address
}

/** Whether mail can name a mailbox so, in front of its domain. */
export function isLocalPart(text: string): boolean {
  if (Buffer.byteLength(text) > maxLocalLength || !local.test(text)) return false
  return !text.startsWith('.') && !text.endsWith('.') && !text.includes('..')
}

/** A domain in lower case and in its ASCII form; null for what is none. */
export function asciiDomain(text: string): string | null {
  if (foreignToDomains.test(text)) return null
  const domain = domainToASCII(text)
  return domain.length <= 253 && domainLabels.test(domain) ? domain : null
}

function refused(field: string, text: string, reason: string): InvalidArgumentException {
  const shown = printable(JSON.stringify(text.slice(0, maxShownLength)))
  return new InvalidArgumentException(
    'E_MAIL_ADDRESS',
    `${field}: ${shown} is no e-mail address, ${reason}; ` +
      `expected one mailbox such as "ada@example.org" or "Ada <ada@example.org>"`,
  )
}
