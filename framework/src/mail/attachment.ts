import { InvalidArgumentException } from '../base/errors.ts'
import { assertHeaderText } from './header-text.ts'

/** A file attached to a message. */
export interface AttachmentInput {
  /** File name, without a folder. */
  readonly name: string
  /** A string is sent as UTF-8. */
  readonly content: string | Uint8Array
  /** Media type. @default by the file extension */
  readonly type?: string
  /** Content id, to show the file in the HTML: `<img src="cid:…">`. */
  readonly cid?: string
}

/** A validated attachment. */
export interface Attachment {
  readonly name: string
  readonly content: Uint8Array
  readonly type: string | null
  readonly cid: string | null
}

const maxNameLength = 255
const token = "[A-Za-z0-9!#$&'*+.^_`|~-]+"
const mediaType = new RegExp(`^${token}/${token}(?:; ?${token}=(?:${token}|"[^"\\\\]*"))*$`)
const contentId = /^[A-Za-z0-9._+-]{1,64}(?:@[A-Za-z0-9.-]{1,64})?$/

/** @throws InvalidArgumentException for an invalid name, type or content id. */
export function checkedAttachment(input: AttachmentInput, at: number): Attachment {
  const { name, content, type = null, cid = null } = input
  const field = `attachment ${at + 1}`
  assertHeaderText(`the name of ${field}`, name)
  if (name === '' || name.length > maxNameLength || /[/\\]/.test(name)) {
    throw invalidAttachment(`the name of ${field} must be a file name without a folder`)
  }
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
    throw invalidAttachment(
      `the content of ${field} must be a string or bytes, got ${typeof content}`,
    )
  }
  if (type !== null) checkType(field, type)
  if (cid !== null && !contentId.test(cid)) {
    throw invalidAttachment(`the cid of ${field} must be a word such as "logo"`)
  }
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Object.freeze({ name, content: bytes, type, cid })
}

function checkType(field: string, type: string): void {
  if (!mediaType.test(type)) {
    throw invalidAttachment(`the type of ${field} must be a media type such as "application/pdf"`)
  }
  // Mail software parses parts of these types as mail; they may not be encoded like files.
  if (/^(?:multipart|message)\//i.test(type)) {
    throw invalidAttachment(
      `the type of ${field} cannot be multipart or message; use "application/octet-stream"`,
    )
  }
}

function invalidAttachment(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_MAIL_HEADER', reason)
}
