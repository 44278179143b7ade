import { join, resolve } from 'node:path'
import { SignedPaths } from '../base/crypto/signed-paths.ts'
import { ConfigurationError } from '../base/errors.ts'
import { loadOptional } from '../base/load-optional.ts'
import { ServerUrl } from '../base/server-url.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import type { ApplicationKey } from '../settings/application-key.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../settings/scope.ts'
import { readBy } from '../settings/variable.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'
import { Disk } from './disk.ts'
import { FileDisk } from './file-disk.ts'
import type { BucketSettings } from './s3-disk.ts'

const packages = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@aws-sdk/s3-presigned-post',
  '@aws-sdk/s3-request-presigner',
]

type StorageValues = ValuesOf<typeof storageScope>

const storageUrl: VariableKind<string> = {
  expects:
    'file:<folder> or s3://<bucket>?region=<region>, with options such as &endpoint=https://…',
  parse: readBy(parseStorageUrl),
}

/** The scope `storage`: where the files of a project are, and the keys of S3. */
export const storageScope: ConfigScope<{
  readonly url: Variable<string>
  readonly accessKey: Variable<string>
  readonly secretKey: Variable<string>
  readonly sessionToken: Variable<string>
}> = scope('storage', {
  url: env.custom('STORAGE_URL', storageUrl, {
    default: 'file:storage/files',
    meaning: 'where files are stored: a folder, or a bucket of a server that speaks S3',
  }),
  accessKey: env.string('AWS_ACCESS_KEY_ID', {
    default: '',
    meaning: 'access key of the bucket; empty for the role of the machine',
  }),
  secretKey: env.string('AWS_SECRET_ACCESS_KEY', {
    default: '',
    meaning: 'secret key of the bucket',
    secret: true,
  }),
  sessionToken: env.string('AWS_SESSION_TOKEN', {
    default: '',
    meaning: 'token that belongs to temporary keys; empty for others',
    secret: true,
  }),
})

/** The project a disk belongs to. Its `Boot` has everything. */
export interface StorageContext {
  /** Folder of the project. */
  readonly root: string
  /** What `storage` means at the beginning of a path. @default that folder of the project */
  readonly storageFolder?: string
  /** Its public URL, for signed addresses of a folder. */
  readonly server: { readonly url: string }
  /** Epoch seconds. */
  readonly clock?: () => number
}

/**
 * Opens a disk: `diskFrom(configs.storage, boot, key)`. A second one has other values, such as another `url`.
 * Nothing is connected or created before the disk is used.
 * @param key The result of `applicationKey`, for signed addresses of a folder.
 * @throws ConfigurationError for a URL that cannot be used, or if a package is not installed.
 */
export async function diskFrom(
  values: Pick<StorageValues, 'url'> & Partial<StorageValues>,
  { root, storageFolder, server, clock = epochSeconds }: StorageContext,
  key: Pick<ApplicationKey, 'deriveAll'>,
): Promise<Disk> {
  const { folder, bucket, publicUrl } = parseStorageUrl(values.url)
  if (bucket !== null) {
    const { S3Disk } = await loadOptional(
      {
        names: packages,
        code: 'E_STORAGE_DRIVER',
        message: `a disk on S3 needs packages: npm install ${packages.join(' ')}`,
      },
      () => import('./s3-disk.ts'),
    )
    return new Disk(new S3Disk({ ...bucket, credentials: keysOf(values) }), publicUrl)
  }
  const inStorage = /^storage(?:\/|$)(.*)/.exec(folder)?.[1]
  const path =
    inStorage === undefined || storageFolder === undefined
      ? resolve(root, folder)
      : join(storageFolder, inStorage)
  return new Disk(new FileDisk(path, server.url, new SignedPaths(key, clock)), publicUrl)
}

function keysOf(values: Partial<StorageValues>): BucketSettings['credentials'] {
  const { accessKey = '', secretKey = '', sessionToken = '' } = values
  if ((accessKey === '') !== (secretKey === '')) {
    throw invalidUrl('set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither')
  }
  if (accessKey === '') return undefined
  const token = sessionToken === '' ? {} : { sessionToken }
  return { accessKeyId: accessKey, secretAccessKey: secretKey, ...token }
}

/** What a storage URL says: of a folder, or of a bucket. */
type StorageUrl = { readonly publicUrl: string | null } & (
  | { readonly folder: string; readonly bucket: null }
  | { readonly folder: null; readonly bucket: BucketSettings }
)

/**
 * Parses `file:<folder>`, or `s3://<bucket>` with the options `region`, `endpoint` and `timeout`; both have the
 * option `public`.
 * @throws ConfigurationError that never contains a secret.
 */
function parseStorageUrl(text: string): StorageUrl {
  const options = new ServerUrl(text, invalidUrl)
  const [place = ''] = text.split('?', 1)
  const [, folder, name] =
    /^(?:file:(?:\/\/(?=\/))?(.+)|s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?)$/s.exec(place) ?? []
  const publicUrl = httpUrl('public', options)
  const bucket = name === undefined ? null : bucketOf(name, options)
  const { unknown } = options
  if (unknown !== undefined) throw invalidUrl(`there is no option ${JSON.stringify(unknown)}`)
  if (bucket !== null) return { publicUrl, folder: null, bucket }
  if (folder !== undefined) return { publicUrl, folder: options.decoded(folder), bucket }
  throw invalidUrl('it is neither file:<folder> nor s3://<bucket>')
}

function bucketOf(name: string, options: ServerUrl): BucketSettings {
  return {
    name,
    region: options.text('region') ?? 'us-east-1',
    endpoint: httpUrl('endpoint', options) ?? undefined,
    timeout: options.number('timeout', 60, [0.001, 3_600], 'a number of seconds'),
  }
}

function httpUrl(name: string, options: ServerUrl): string | null {
  const text = options.text(name)
  if (text === null) return null
  if (/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/.test(text)) return text.replace(/\/+$/, '')
  throw invalidUrl(`${name} is the URL of a server, https://…, without user and query`)
}

function invalidUrl(reason: string): ConfigurationError {
  return new ConfigurationError('E_STORAGE_URL', `the storage URL cannot be used: ${reason}`)
}
