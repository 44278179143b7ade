import { decodeSpans } from './decode-otlp.ts'
import type { OtlpSpan } from './decode-otlp.ts'
import type { FakeCollector } from './fake-collector.ts'

/** The spans that a collector got, strictly decoded. */
export function spansIn({ posts }: FakeCollector): readonly OtlpSpan[] {
  return posts
    .filter(({ target }) => target === '/v1/traces')
    .flatMap(({ body }) => decodeSpans(body.toString()).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
}
