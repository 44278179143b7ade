import { maskSource, maskText } from '../../base/mask-text.ts'
import { fileLabel } from '../../errors/stack/file-label.ts'
import { Origins } from '../../errors/stack/frames.ts'
import type { Frame } from '../../errors/stack/frames.ts'
import { excerptOf } from '../../errors/stack/source-file.ts'

/** Lines of source on each side of a call. */
const margin = 5
/** Only so many calls of an error are shown with their source. */
const maxExcerpts = 5
const maxLineLength = 200

/** A stack as Sentry wants it: the oldest call first, files relative to `root`, secrets masked. */
export function sentryFrames(frames: readonly Frame[], root: string): readonly object[] {
  let excerpts = 0
  const shown = frames.map((frame) => {
    const isOwn = frame.origin === Origins.Application
    const withSource = isOwn && frame.line > 0 && excerpts < maxExcerpts
    if (withSource) excerpts += 1
    return {
      function: frame.call === '' ? '?' : maskText(frame.call),
      filename: maskText(fileLabel(frame.file, root)),
      ...(frame.line > 0 && { lineno: frame.line, colno: frame.column }),
      in_app: isOwn,
      ...(withSource && sourceOf(frame)),
    }
  })
  return shown.toReversed()
}

function sourceOf({ file, line }: Frame): object {
  const excerpt = excerptOf(file, line, margin)
  if (excerpt === null) return {}
  // A secret in the code is a mistake; it should not leave the machine as well.
  const lines = excerpt.lines.map((text) => maskSource(text).slice(0, maxLineLength))
  const at = line - excerpt.first
  return {
    pre_context: lines.slice(0, at),
    context_line: lines[at] ?? '',
    post_context: lines.slice(at + 1),
  }
}
