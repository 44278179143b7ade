/** Length of a part in characters: small enough to parse in about a millisecond. */
const partLength = 32_768

// The format of the JSON exporter. None of these patterns can match inside a JSON string or at its
// end: quotes inside are escaped, and no letter, underscore or colon follows a closing quote.
const opening = /^\{"timestamp":[^,"{}]+,"metrics":\{/
const ending = /^\}(?:,"retired":\[[^\]]*\])?(?:,"start":[\d.]+)?\}\n$/
const endOfSeries = /\}(?=,\{"labels":)|\]\}(?=,"[a-zA-Z_:])/g
const endOfMetric = /\]\},(?="[a-zA-Z_:])/g
const beforeSeries = '"series":['

/**
 * Splits the text of a snapshot document into smaller documents with the same series in total, so
 * that parsing a large one does not block. A text in another format is returned whole.
 */
export function* documentParts(text: string): Generator<string> {
  const start = opening.exec(text)?.[0]
  const end = text.lastIndexOf(']}}') + ']}'.length
  const tail = text.slice(end)
  if (start === undefined || !ending.test(tail)) {
    yield text
    return
  }
  // The opening of the metric when a part starts in the middle of it.
  let head = ''
  let from = start.length
  while (from < end) {
    endOfSeries.lastIndex = from + partLength
    const cut = endOfSeries.exec(text)
    const to = cut === null ? end : endOfSeries.lastIndex
    const body = head + text.slice(from, to)
    const inMetric = cut?.[0] === '}'
    yield start + body + (cut === null ? tail : inMetric ? ']}}}' : '}}')
    head = inMetric ? lastHead(body) : ''
    from = to + ','.length
  }
}

/** The opening of the last metric in the text: from its name to the bracket before its series. */
function lastHead(body: string): string {
  let start = 0
  for (const { index, 0: found } of body.matchAll(endOfMetric)) start = index + found.length
  return body.slice(start, body.indexOf(beforeSeries, start) + beforeSeries.length)
}
