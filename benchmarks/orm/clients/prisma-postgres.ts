import { PrismaPg } from '@prisma/adapter-pg'
import type { Library } from '../library.ts'
import { pageSize, type Post } from '../posts.ts'
import { prismaClient } from './prisma-client.ts'
import { decodeToken, encodeToken } from './token.ts'

/**
 * Prisma's own cursors on `pg`: the key of the last row, whose exact time the server looks up. Left
 * at that, it reads every row in front of the page; the time in the condition lets it begin there.
 */
export async function open(url: string): Promise<Library> {
  const names = new Map<string, string>()
  const adapter = new PrismaPg(url, {
    // Without names nothing stays prepared.
    statementNameGenerator: ({ sql }) => {
      const name = names.get(sql) ?? `s${names.size}`
      names.set(sql, name)
      return name
    },
  })
  const { PrismaClient }: PrismaModule = await import(prismaClient)
  const { post } = new PrismaClient({ adapter })
  const orderBy = [{ createdAt: 'asc' }, { id: 'asc' }] as const

  return {
    async walk(token) {
      const behind = token === null ? {} : placeOf(token)
      const rows = await post.findMany({ ...behind, orderBy, take: pageSize + 1 })
      const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
      return { items: rows.slice(0, pageSize), next: last === undefined ? null : tokenOf(last) }
    },
    async list(category, page) {
      const where = { category }
      const skip = (page - 1) * pageSize
      const [items, total] = await Promise.all([
        post.findMany({ where, orderBy, take: pageSize, skip }),
        post.count({ where }),
      ])
      return { items, total, pages: Math.ceil(total / pageSize) }
    },
    tokenAfter: ({ createdAt, id }) => tokenOf({ createdAt: new Date(`${createdAt}Z`), id }),
  }
}

function tokenOf({ createdAt, id }: Pick<Post, 'createdAt' | 'id'>): string {
  return encodeToken([createdAt.toISOString(), String(id)])
}

function placeOf(token: string): Pick<PostQuery, 'where' | 'cursor' | 'skip'> {
  const [createdAt, id] = decodeToken(token)
  return { where: { createdAt: { gte: new Date(createdAt) } }, cursor: { id: BigInt(id) }, skip: 1 }
}

/** What is used of the client that Prisma writes; it does not exist before the benchmark runs. */
interface PrismaModule {
  readonly PrismaClient: new (options: { adapter: PrismaPg }) => {
    readonly post: {
      findMany(query: PostQuery): Promise<readonly Post[]>
      count(query: Pick<PostQuery, 'where'>): Promise<number>
    }
  }
}

interface PostQuery {
  readonly where?: { readonly category: number } | { readonly createdAt: { readonly gte: Date } }
  readonly orderBy: readonly object[]
  readonly take: number
  readonly skip?: number
  readonly cursor?: { readonly id: bigint }
}
