export { StorageRoutes } from '../http/urls/storage-routes.ts'
export { diskFrom, storageScope } from '../storage/storage-settings.ts'
export type { Disk, StoredObject } from '../storage/disk.ts'
export { StorageError } from '../storage/storage-error.ts'
