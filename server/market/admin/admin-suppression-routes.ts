import { z } from 'zod'
import { removalSchema } from '#core/contract/admin-note.ts'
import {
  findSuppressionSchema,
  newSuppressionsSchema,
  suppressionFilterSchema,
  suppressionsAddedSchema,
  suppressionSchema,
} from '#core/contract/market/suppression.ts'
import { pageSchema } from '#core/contract/page.ts'
import { findSuppressions, listSuppressions } from '#core/data/market/suppressions.ts'
import { cutPage } from '#core/data/page.ts'
import { readContact } from '#core/domain/market/read-contact.ts'
import { AppError } from '#core/errors.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { releaseContact } from '../release-contact.ts'
import { suppressContacts } from './suppress-contacts.ts'

/** The suppression list of administrators: keyed hashes of people whose leads are never sold. */
export const adminSuppressionRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/suppressions',
    who: 'admin',
    summary: 'List the suppression entries that hold for everybody, newest first',
    description: 'Each has its kind and reason, but never the phone or email address.',
    query: pageQuerySchema.extend(suppressionFilterSchema.shape),
    answers: { 200: pageSchema(suppressionSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listSuppressions(context.db, query, page), page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/suppressions',
    who: 'admin',
    needs: 'leads',
    summary: 'Suppress phone numbers and email addresses, one per line, at most 10,000 at a time',
    description: '`refused` names the lines that hold neither.',
    takes: 'json',
    body: newSuppressionsSchema,
    answers: { 200: suppressionsAddedSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 200,
      json: await suppressContacts(context, { caller, from }, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/suppressions/find',
    who: 'admin',
    needs: 'read',
    summary: 'Find the suppression entries of one phone number or email address',
    description:
      'Entries for everybody come first, then those for single clients. The list is empty if there are none.',
    takes: 'json',
    body: findSuppressionSchema,
    answers: { 200: z.object({ data: z.array(suppressionSchema) }) },
    handle: async ({ context, body }) => {
      const reading = readContact(body.contact)
      if (!reading.ok) {
        const errors = [{ path: 'contact', message: reading.message }]
        throw new AppError('validation_failed', 'The body has 1 fault(s).', { errors })
      }
      const { kind, value } = reading.contact
      const hashes = hashContact(context.market.suppressionKeys, kind, value)
      return { status: 200, json: { data: await findSuppressions(context.db, { kind, hashes }) } }
    },
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/suppressions/:id',
    who: 'admin',
    needs: 'leads',
    summary: 'Remove a suppression entry, for everybody or for one client',
    takes: 'json',
    body: removalSchema,
    answers: { 204: null },
    handle: async ({ context, caller, from, id, body }) => {
      await releaseContact(context, { caller, from }, id, body.note)
      return { status: 204 }
    },
  }),
]
