const shrinking =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|manifest|wasm|x-ndjson|graphql|rtf|yaml)|[\w.-]+\/[\w.-]+\+(?:json|xml|text)|image\/(?:svg|bmp|x-icon)|font\/(?:ttf|otf))/i

/**
 * Whether content of a media type gets smaller when it is compressed. Event streams do, but a
 * compressor holds back what should arrive at once.
 */
export function isCompressible(type: string): boolean {
  return shrinking.test(type)
}
