/** Characters of a part: it is parsed and read in about a millisecond. */
const partLength = 32_768

// How the JSON exporter writes. None of this can stand inside a JSON text, not even where one
// ends: a quote within is escaped, and after a closing one comes no letter, underscore or colon.
const opening = /^\{"timestamp":[^,"{}]+,"metrics":\{/
const ending = /^\}(?:,"retired":\[[^\]]*\])?(?:,"start":[\d.]+)?\}\n$/
const endOfSeries = /\}(?=,\{"labels":)|\]\}(?=,"[a-zA-Z_:])/g
const endOfMetric = /\]\},(?="[a-zA-Z_:])/g
const beforeSeries = '"series":['

/**
 * Cuts the text of a snapshot document into documents of bounded length that together hold the
 * same series, so that a large one need not be parsed in one go. What does not look as our
 * exporter writes it comes back whole.
 */
export function* documentParts(text: string): Generator<string> {
  const start = opening.exec(text)?.[0]
  const end = text.lastIndexOf(']}}') + ']}'.length
  const tail = text.slice(end)
  if (start === undefined || !ending.test(tail)) {
    yield text
    return
  }
  // What opens the metric that a part begins in the middle of.
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

/** From the name of the last metric in there to the bracket before its series. */
function lastHead(body: string): string {
  let begin = 0
  for (const { index, 0: found } of body.matchAll(endOfMetric)) begin = index + found.length
  return body.slice(begin, body.indexOf(beforeSeries, begin) + beforeSeries.length)
}
