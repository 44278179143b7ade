import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { contentTypeOf } from './content-type.ts'

/** How files of a type begin: their bytes as Latin-1. The first that fits counts. */
const signatures: readonly (readonly [type: string, name: string, start: RegExp])[] = [
  ['application/pdf', 'PDF', /^%PDF-/],
  ['image/png', 'PNG', /^\x89PNG\r\n\p{Cc}\n/u],
  ['image/jpeg', 'JPEG', /^\xff\xd8\xff/],
  ['image/gif', 'GIF', /^GIF8[79]a/],
  ['image/webp', 'WebP', /^RIFF.{4}WEBP/s],
  ['image/avif', 'AVIF', /^.{4}ftyp(?:avi[fs]|mif1.{4}(?:.{4}){0,8}avif)/s],
  ['image/heic', 'HEIC', /^.{4}ftyp(?:he[iv][cmsx]|m[is]f1)/s],
  ['audio/mp4', 'M4A', /^.{4}ftypM4[AB] /s],
  ['video/quicktime', 'MOV', /^.{4}ftypqt {2}/s],
  ['video/mp4', 'MP4', /^.{4}ftyp(?:iso[2-9m]|mp4[12]|avc1|M4V |MSNV|dash)/s],
  ['video/webm', 'WebM', /^\p{Cc}E\xdf\xa3.{0,64}webm/su],
  ['audio/mpeg', 'MP3', /^(?:ID3|\xff[\xf2\xf3\xfa\xfb])/],
  ['audio/wav', 'WAV', /^RIFF.{4}WAVE/s],
  ['audio/ogg', 'Ogg', /^OggS/],
  ['application/gzip', 'GZIP', /^\p{Cc}\x8b\p{Cc}/u],
  ['application/zip', 'ZIP', /^PK\p{Cc}{2}/u],
]

const openXml = 'application/vnd.openxmlformats-officedocument'

/** Archives that are a type of their own, by a file that all of them hold. */
const archives = [
  [`${openXml}.wordprocessingml.document`, 'DOCX', 'word/document.xml'],
  [`${openXml}.spreadsheetml.sheet`, 'XLSX', 'xl/workbook.xml'],
  [`${openXml}.presentationml.presentation`, 'PPTX', 'ppt/presentation.xml'],
] as const

/** Nothing in a text tells these apart. */
const texts = [
  ['text/plain', 'TXT'],
  ['text/csv', 'CSV'],
  ['text/markdown', 'Markdown'],
] as const

/** The types that are recognized, with the name that people know them by. */
export const recognizedTypes: ReadonlyMap<string, string> = new Map(
  [...signatures, ...archives, ...texts].map(([type, name]) => [type, name]),
)

/** What is read at once: photos have thumbnails and color profiles before their size. */
const blockBytes = 512 * 1024

/**
 * The types that a file is by its content, the most exact first; none if it is of no type that is known. Text
 * is valid UTF-8 without NUL. A file that is a PDF and also a page for browsers is a PDF.
 */
export async function recognizeFile(path: string): Promise<readonly string[]> {
  await using file = await open(path)
  const head = await readBlock(file, 0)
  const found = signedType(head)
  if (found === 'application/zip') {
    const { size } = await file.stat()
    const directory = await readBlock(file, Math.max(0, size - blockBytes))
    const exact = archives.find(([, , name]) => directory.includes(name))?.[0]
    return exact === undefined ? [found] : [exact, found]
  }
  if (found !== undefined) return [found]
  return (await isText(file)) ? texts.map(([type]) => type) : []
}

/** How much of a file `recognizeStart` needs. */
export const startBytes = 4096

/**
 * The type of a file by its start alone. Kinds of text and of archives, which begin alike, are told apart by the ending
 * of the name; `application/octet-stream` if nothing fits.
 */
export function recognizeStart(start: Buffer, name: string): string {
  const named = contentTypeOf(name)
  const found = signedType(start)
  if (found === 'application/zip' && archives.some(([type]) => type === named)) return named
  if (found !== undefined) return found
  return named.includes('charset') && isTextStart(start) ? named : 'application/octet-stream'
}

/** Whether a media type, in lower case, is one of the accepted ones, such as `image/png` or `image/*`; none are any. */
export function isAccepted(type: string, accepted: readonly string[]): boolean {
  if (accepted.length === 0) return true
  return accepted.some(
    (range) => range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1))),
  )
}

/** The pixels of a JPEG, PNG, GIF or WebP file by its header; null if it has none that makes sense. */
export async function picturePixels(path: string, type: string): Promise<number | null> {
  await using file = await open(path)
  const head = await readBlock(file, 0)
  try {
    const [width, height] = sizes[type]?.(head) ?? [0, 0]
    return width * height || null
  } catch {
    // The header ends too early.
    return null
  }
}

function signedType(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, 512)
  return signatures.find(([, , pattern]) => pattern.test(start))?.[0]
}

function isTextStart(start: Buffer): boolean {
  try {
    const isCut = start.length >= startBytes
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: isCut })
    return !start.includes(0)
  } catch {
    return false
  }
}

async function readBlock(file: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(blockBytes), 0, blockBytes, position)
  return buffer.subarray(0, bytesRead)
}

async function isText(file: FileHandle): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let at = 0; ;) {
      const block = await readBlock(file, at)
      decoder.decode(block, { stream: block.length > 0 })
      if (block.length === 0) return true
      if (block.includes(0)) return false
      at += block.length
    }
  } catch {
    return false
  }
}

type Size = readonly [width: number, height: number]

/** How the size of a picture is read, by its type. */
const sizes: Readonly<Record<string, (head: Buffer) => Size>> = {
  'image/jpeg': jpegSize,
  'image/png': (head) => [head.readUInt32BE(16), head.readUInt32BE(20)],
  'image/gif': (head) => [head.readUInt16LE(6), head.readUInt16LE(8)],
  'image/webp': webpSize,
}

/** The types whose size can be read. */
export const pictureTypes: readonly string[] = Object.keys(sizes)

// Segments with a marker and a length, up to the start of a frame.
function jpegSize(head: Buffer): Size {
  let at = 2
  for (;;) {
    if (head.readUInt8(at) !== 0xff) return [0, 0]
    const marker = head.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return [head.readUInt16BE(at + 7), head.readUInt16BE(at + 5)]
    // Any marker may have fill bytes before it.
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2)
  }
}

function webpSize(head: Buffer): Size {
  const format = head.toString('latin1', 12, 16)
  if (format === 'VP8X') return [head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1]
  if (format === 'VP8 ') return [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff]
  if (format !== 'VP8L') return [0, 0]
  const bits = head.readUInt32LE(21)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}
