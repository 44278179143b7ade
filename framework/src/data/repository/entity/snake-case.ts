/** The name a property has in SQL: `createdAt` is `created_at`. */
export function snakeCase(property: string): string {
  return property
    .replaceAll(/(?<=[a-z0-9])[A-Z]|[A-Z](?=[a-z])(?<!^.)/g, (letter) => `_${letter}`)
    .toLowerCase()
}
