import { generateKeySync } from 'node:crypto'
import { once } from 'node:events'
import { diskFrom } from '../../src/storage/storage-settings.ts'

// What a test does to a disk in a process of its own: `<what> <settings as JSON> <megabytes>`.
const [, , what = '', settings = '', megabytes = '1'] = process.argv
const boot = { root: '/', server: { url: 'http://127.0.0.1' } }
const key = { deriveAll: () => [generateKeySync('hmac', { length: 256 })] }
const disk = await diskFrom(JSON.parse(settings), boot, key)
const megabyte = Buffer.alloc(1_048_576, 'x')

async function* content(count: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at += 1) yield megabyte
}

if (what === 'hang') {
  // Begins to replace an object, says so, and never ends.
  await disk.put(
    'a.txt',
    (async function* () {
      yield* content(20)
      console.log('hanging')
      await once(process, 'never')
    })(),
  )
} else if (what === 'fill') {
  await disk.put('a.txt', 'before')
  const failed = await disk
    .put('a.txt', content(Number(megabytes)))
    .catch((error: unknown) => error)
  const { objects } = await disk.list()
  const code = failed instanceof Error && 'code' in failed ? failed.code : 'it fits'
  const message = failed instanceof Error ? failed.message : ''
  await disk.put('b.txt', 'there is room again')
  console.log(JSON.stringify({ code, message, sizes: objects.map(({ size }) => size) }))
} else {
  const { size } = await disk.put('large', content(Number(megabytes)))
  let read = 0
  for await (const chunk of await disk.get('large')) read += Buffer.byteLength(chunk)
  const largest = process.resourceUsage().maxRSS / 1024
  console.log(JSON.stringify({ size, read, largest }))
}
