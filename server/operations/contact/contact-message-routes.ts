import { z } from 'zod'
import { contactMessageSchema } from '#core/contract/operations/contact-message.ts'
import { listContactMessages, markContactMessage } from '#core/data/operations/contact-messages.ts'
import { cutPage } from '#core/data/page.ts'
import { AppError } from '#core/errors.ts'
import { pageQuerySchema, pageSchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'

/** What people wrote by the form of the public site. */
export const contactMessageRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/contact-messages',
    who: 'admin',
    summary: 'Messages of the contact form, newest first',
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
    summary: 'Mark a message as answered, or as not',
    takes: 'json',
    body: z.strictObject({ answered: z.boolean() }),
    answers: { 204: null },
    handle: async ({ context, id, body }) => {
      if (!(await markContactMessage(context.db, id, body.answered)))
        throw new AppError('not_found', 'Nothing has this id.')
      return { status: 204 }
    },
  }),
]
