/** A `<time>` element, to the second. */
export function moment(epoch: number): string {
  const text = new Date(epoch * 1000).toISOString()
  return `<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 19)} UTC</time>`
}
