import { domainToASCII } from 'node:url'
import { printable } from '../base/encoding/printable.ts'
import { InvalidArgumentException } from '../base/errors.ts'
import type { VariableKind } from '../settings/variable.ts'
import { assertHeaderText } from './header-text.ts'

/** A mailbox: an e-mail address and an optional display name. */
export interface Address {
  /** The e-mail address, its domain in lower case and ASCII form. */
  readonly address: string
  /** The display name; empty when there is none. */
  readonly name: string
}

/** A mailbox as input: `ada@example.org`, `Ada <ada@example.org>`, or an object with both parts. */
export type AddressInput = string | { readonly address: string; readonly name?: string }

/** The default sender. */
export const DEFAULT_SENDER = 'no-reply@localhost'

const maxAddressLength = 254
const maxLocalLength = 64
const maxShownLength = 100

const named = /^([^<>]*)<([^<>]*)>$/
// Quoted local parts are valid but unused, and mail software disagrees on them: not supported.
const local = /^(?:[\w!#$%&'*+/=?^`{|}~.-]|[^\p{ASCII}\p{C}\p{Z}])+$/u
// `domainToASCII` parses like a URL and would cut or decode at these characters.
const invalidInDomain = /[\s/\\?#%@:[\]\p{Cc}]/u
// The last label starts with a letter, which rules out IP addresses.
const domainLabels =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Parses one mailbox; `field` names it in errors.
 * @throws InvalidArgumentException when it is not exactly one valid mailbox.
 */
export function parseAddress(field: string, input: AddressInput): Address {
  const { address, name = '' } = typeof input === 'string' ? splitName(input) : input
  if (typeof address !== 'string')
    throw invalidAddress(field, String(address), 'it is not a string')
  assertHeaderText(`the name in ${field}`, name)
  return Object.freeze({ address: checkedAddress(field, address), name: name.trim() })
}

/**
 * Parses one mailbox or a list of them.
 * @throws InvalidArgumentException like `parseAddress`.
 */
export function parseAddresses(
  field: string,
  input: AddressInput | readonly AddressInput[],
): readonly Address[] {
  const inputs = typeof input === 'string' || 'address' in input ? [input] : input
  return inputs.map((one) => parseAddress(field, one))
}

/** A variable that holds a mailbox as text. */
export function mailboxKind(expects: string): VariableKind<string> {
  return {
    expects,
    parse(text) {
      // Empty only where that is accepted.
      if (text === '') return text
      try {
        parseAddress('the variable', text)
        return text
      } catch {
        return undefined
      }
    },
  }
}

function splitName(text: string): { address: string; name: string } {
  const [, name, address] = named.exec(text) ?? []
  if (name === undefined || address === undefined) return { address: text, name: '' }
  // Trims only spaces: a line break at the end must be rejected later.
  const bare = name.replaceAll(/^ +| +$/g, '')
  return { address, name: bare.replace(/^"(.*)"$/, '$1') }
}

function checkedAddress(field: string, text: string): string {
  const at = text.lastIndexOf('@')
  if (at === -1) throw invalidAddress(field, text, 'it has no @')
  const mailbox = text.slice(0, at)
  if (!isLocalPart(mailbox)) throw invalidAddress(field, text, 'the part before the @ is invalid')
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === null) throw invalidAddress(field, text, 'the part after the @ is not a domain')
  const address = `${mailbox}@${domain}`
  if (Buffer.byteLength(address) > maxAddressLength) {
    throw invalidAddress(field, text, `it is longer than ${maxAddressLength} bytes`)
  }
  return address
}

/** Whether this is a valid part before the `@` of an address. */
export function isLocalPart(text: string): boolean {
  if (Buffer.byteLength(text) > maxLocalLength || !local.test(text)) return false
  return !text.startsWith('.') && !text.endsWith('.') && !text.includes('..')
}

/** A domain in lower case and ASCII form; null when it is not a domain. */
export function asciiDomain(text: string): string | null {
  if (invalidInDomain.test(text)) return null
  const domain = domainToASCII(text)
  return domain.length <= 253 && domainLabels.test(domain) ? domain : null
}

function invalidAddress(field: string, text: string, reason: string): InvalidArgumentException {
  const shown = printable(JSON.stringify(text.slice(0, maxShownLength)))
  return new InvalidArgumentException(
    'E_MAIL_ADDRESS',
    `${field}: ${shown} is not an e-mail address, ${reason}; ` +
      `expected one mailbox such as "ada@example.org" or "Ada <ada@example.org>"`,
  )
}
