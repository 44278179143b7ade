import { after, describe } from 'node:test'
import { diskFrom } from '../../src/storage/storage-settings.ts'
import { diskContract, diskKey } from '../support/disk-contract.ts'
import { startS3 } from '../support/s3-server.ts'

const found = await startS3().catch((error: Error) => error)
after(() => (found instanceof Error ? undefined : found.stop()))

describe('a disk on S3', { skip: found instanceof Error && found.message }, () => {
  const boot = { root: '/', server: { url: 'https://shop.example' } }
  diskContract(async () => {
    if (found instanceof Error) throw found
    return diskFrom(await found.bucket(), boot, diskKey)
  })
})
