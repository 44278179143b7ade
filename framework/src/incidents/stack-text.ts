import { maskText } from '../base/mask-text.ts'
import type { Description } from '../errors/reports/description.ts'
import { chainTitles, Relations } from '../errors/stack/error-chain.ts'
import { fileLabel } from '../errors/stack/file-label.ts'
import type { Frame } from '../errors/stack/frames.ts'

/** An error and its causes with their stacks, as text; files are relative to `root`. */
export function stackText(chain: readonly Description[], root: string): string {
  return chain
    .flatMap((one) => [headline(one), ...one.frames.map((frame) => frameLine(frame, root))])
    .join('\n')
}

function headline({ relation, class: name, message }: Description): string {
  const intro = relation === Relations.Thrown ? '' : `${chainTitles[relation]} `
  return `${intro}${name}${message === '' ? '' : `: ${message}`}`
}

function frameLine({ call, file, line, column }: Frame, root: string): string {
  const place = `${fileLabel(file, root)}${line > 0 ? `:${line}:${column}` : ''}`
  return maskText(call === '' ? `    at ${place}` : `    at ${call} (${place})`)
}
