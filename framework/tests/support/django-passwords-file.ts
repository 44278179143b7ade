import { existsSync } from 'node:fs'

const installed = '/usr/lib/python3/dist-packages/django/contrib/auth/common-passwords.txt.gz'

/** The list of common passwords of Django: the file named by DJANGO_PASSWORDS, else the system's. */
export function findDjangoPasswords(): string | null {
  const given = process.env['DJANGO_PASSWORDS'] ?? ''
  const path = given === '' ? installed : given
  return existsSync(path) ? path : null
}
