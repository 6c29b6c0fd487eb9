import {
  dataErasedSchema,
  dataHeldSchema,
  dataSubjectRequestSchema,
  dataSubjectSchema,
} from '#core/contract/leads/data-subject.ts'
import { route } from '../../http/route.ts'
import { eraseDataHeld, exportDataHeld, findDataHeld } from './data-subjects.ts'

/** Requests of persons: what is stored about them, a copy of it, and its erasure. */
export const dataSubjectRoutes = [
  route({
    method: 'post',
    path: '/api/v1/admin/data-subjects/find',
    who: 'admin',
    needs: 'leads',
    summary: 'Return what is stored about the person with a phone number or e-mail address',
    description:
      'It has the evidence of consent of each lead. The contact is in the body, so that no log has it. Nothing is changed.',
    takes: 'json',
    body: dataSubjectSchema,
    answers: { 200: dataHeldSchema },
    handle: async ({ context, body }) => ({ status: 200, json: await findDataHeld(context, body.contact) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/data-subjects/erase',
    who: 'admin',
    needs: 'leads',
    summary: 'Erase a person everywhere',
    description:
      'All leads with this contact are erased, with the requests and answers about them; so are messages of the contact form, and imported rows that became no lead. The keyed hash stays on the suppression list. The audit log has counts, never the address. A repeat erases what came since.',
    takes: 'json',
    body: dataSubjectRequestSchema,
    answers: { 200: dataErasedSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 200,
      json: await eraseDataHeld(context, { caller, from }, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/data-subjects/export',
    who: 'admin',
    needs: 'leads',
    isDownload: true,
    summary: 'Download everything that is stored about a person as JSON',
    takes: 'json',
    body: dataSubjectRequestSchema,
    answers: { 200: null },
    handle: async ({ context, caller, from, body }) => ({
      status: 200,
      type: 'application/json; charset=utf-8',
      headers: { 'Content-Disposition': 'attachment; filename="person.json"' },
      text: await exportDataHeld(context, { caller, from }, body),
    }),
  }),
]
