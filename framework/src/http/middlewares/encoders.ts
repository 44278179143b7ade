import { promisify } from 'node:util'
import type { Transform } from 'node:stream'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import type { Encoding } from './accept-encoding.ts'

/** One content coding, for whole bodies and for streams. Both work off the event loop. */
export interface Encoder {
  whole(bytes: Uint8Array): Promise<Buffer>
  stream(): Transform
}

// Levels for dynamic responses: the default of brotli is a hundred times slower.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
const gzipOptions = { level: 6 }

const brotliWhole = promisify(brotliCompress)
const zstdWhole = promisify(zstdCompress)
const gzipWhole = promisify(gzip)

export const encoders: Readonly<Record<Encoding, Encoder>> = {
  br: {
    whole: (bytes) => brotliWhole(bytes, brotliOptions),
    stream: () => createBrotliCompress(brotliOptions),
  },
  zstd: {
    whole: (bytes) => zstdWhole(bytes, zstdOptions),
    stream: () => createZstdCompress(zstdOptions),
  },
  gzip: {
    whole: (bytes) => gzipWhole(bytes, gzipOptions),
    stream: () => createGzip(gzipOptions),
  },
}
