import { findOnPath } from './find-on-path.ts'

/** Of which packages of Debian a Ceph with its S3 server is made. */
export const cephPrograms = ['radosgw', 'ceph-mon', 'ceph-osd'] as const

/** A program of Ceph; null if it is missing. */
export function findCephProgram(name: string): string | null {
  return findOnPath([name], ['/usr/bin', '/usr/local/bin'])
}
