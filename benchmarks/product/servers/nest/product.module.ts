import { Module } from '@nestjs/common'
import { contestant } from '../contestant.ts'
import { openPeerDatabase, type PeerDatabase } from '../peer-database.ts'
import { AccountController } from './account.controller.ts'
import { ApiController } from './api.controller.ts'
import { DATABASE } from './database.ts'
import { PagesController } from './pages.controller.ts'

@Module({
  controllers: [PagesController, AccountController, ApiController],
  providers: [
    {
      provide: DATABASE,
      useFactory: (): Promise<PeerDatabase> => openPeerDatabase(contestant().database),
    },
  ],
})
// oxlint-disable-next-line typescript/no-extraneous-class
export class ProductModule {}
