import { shownTexts } from '../support/shown-texts.ts'

/** The words of a page that do not come from a catalogue, where `marksTexts` marks those that do. */
export function unmarkedWords(html: string): string[] {
  return shownTexts(html).flatMap(
    (text) => withoutMarked(text).match(/\p{L}[\p{L}\p{N}@.'’-]*/gu) ?? [],
  )
}

/** A marked text may have marked texts as values. */
function withoutMarked(text: string): string {
  const inner = text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
  return inner === text ? text : withoutMarked(inner)
}
