import { InvalidArgumentException } from '../../base/errors.ts'
import { assertHeaderText } from './header-text.ts'

/** A file that goes along with a message. */
export interface AttachmentInput {
  /** The name it is saved under, without a folder. */
  readonly name: string
  /** Text goes out as UTF-8. */
  readonly content: string | Uint8Array
  /** Media type; by the ending of the name unless given. */
  readonly type?: string
  /** Makes it part of the HTML, which shows it as `<img src="cid:…">`. */
  readonly cid?: string
}

/** The same, checked and complete. */
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

/** @throws InvalidArgumentException for a name, type or id that cannot stand in a header. */
export function checkedAttachment(input: AttachmentInput, at: number): Attachment {
  const { name, content, type = null, cid = null } = input
  const field = `attachment ${at + 1}`
  assertHeaderText(`the name of ${field}`, name)
  if (name === '' || name.length > maxNameLength || /[/\\]/.test(name)) {
    throw refused(`the name of ${field} must be that of a file, without a folder`)
  }
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
    throw refused(`the content of ${field} must be a text or bytes, not ${typeof content}`)
  }
  if (type !== null) checkType(field, type)
  if (cid !== null && !contentId.test(cid)) {
    throw refused(`the cid of ${field} must be a word such as "logo"`)
  }
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Object.freeze({ name, content: bytes, type, cid })
}

function checkType(field: string, type: string): void {
  if (!mediaType.test(type)) {
    throw refused(`the type of ${field} must be a media type such as "application/pdf"`)
  }
  // Parts of these kinds are read as mail again, and may not be encoded as files are.
  if (/^(?:multipart|message)\//i.test(type)) {
    throw refused(`the type of ${field} is not one of a file; use "application/octet-stream"`)
  }
}

function refused(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_MAIL_HEADER', reason)
}
