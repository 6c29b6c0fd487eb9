import { z } from 'zod'
import { contactMessageSchema } from '#core/contract/operations/contact-message.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listContactMessages } from '#core/data/operations/contact-messages.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { answerContactMessage } from './answer-contact-message.ts'

/** Messages of the contact form on the public site. */
export const contactMessageRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/contact-messages',
    who: 'admin',
    summary: 'List the messages of the contact form, newest first',
    query: pageQuerySchema,
    answers: { 200: pageSchema(contactMessageSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listContactMessages(context.db, page), page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/contact-messages/:id',
    who: 'admin',
    needs: 'operations',
    summary: 'Mark a message as answered or not answered',
    takes: 'json',
    body: z.strictObject({ answered: z.boolean() }),
    answers: { 204: null },
    handle: async ({ context, caller, from, id, body }) => {
      await answerContactMessage(context, { caller, from }, id, body.answered)
      return { status: 204 }
    },
  }),
]
