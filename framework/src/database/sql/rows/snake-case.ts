/** The SQL name of a property: `createdAt` becomes `created_at`. */
export function snakeCase(property: string): string {
  return property
    .replaceAll(/(?<=[a-z0-9])[A-Z]|[A-Z](?=[a-z])(?<!^.)/g, (letter) => `_${letter}`)
    .toLowerCase()
}
