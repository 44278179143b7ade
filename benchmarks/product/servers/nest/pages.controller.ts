import { Controller, Get, Inject, Query, Render, Res } from '@nestjs/common'
import type { FastifyReply } from 'fastify'
import type { PeerDatabase } from '../peer-database.ts'
import { itemsView, readItemsPage } from '../shared/items-page.ts'
import { DATABASE } from './database.ts'

/** The pages for everybody. */
@Controller()
export class PagesController {
  readonly #database: PeerDatabase

  constructor(@Inject(DATABASE) database: PeerDatabase) {
    this.#database = database
  }

  @Get('items')
  @Render('items')
  async items(
    @Query('page') page: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const list = await readItemsPage(this.#database, page)
    return { ...itemsView(list), nonce: reply.cspNonce.script }
  }

  @Get('contact')
  @Render('contact')
  contact(@Res({ passthrough: true }) reply: FastifyReply): object {
    return { token: reply.generateCsrf(), nonce: reply.cspNonce.script }
  }

  @Get('login')
  @Render('login')
  login(@Res({ passthrough: true }) reply: FastifyReply): object {
    return { token: reply.generateCsrf(), nonce: reply.cspNonce.script }
  }
}
