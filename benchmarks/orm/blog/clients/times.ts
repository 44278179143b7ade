/** A time in UTC with six digits, as MariaDB and our ORM on SQLite keep it. */
export function plainText(at: Date): string {
  return `${at.toISOString().replace('T', ' ').replace('Z', '')}000`
}
