import { certificationGradesSchema } from '#core/contract/webhooks/certification-grade.ts'
import { certificationSchema } from '#core/contract/webhooks/certification.ts'
import { route } from '../../http/route.ts'
import { askForCertification } from './ask-for-certification.ts'
import { listGrades, showCertification } from './show-certification.ts'

const path = '/api/v1/webhook-configs'
const forWebhooks = { who: 'user', may: 'webhooks' } as const

/** Runs that try an endpoint with what really happens. They come before the routes of configurations. */
export const certificationRoutes = [
  route({
    method: 'get',
    path: `${path}/certifications`,
    ...forWebhooks,
    summary: 'Return the grades of your certified webhooks',
    description:
      'A grade ends after 90 days, and once the endpoint, its authentication, certificates, method, format, headers or secret change.',
    answers: { 200: certificationGradesSchema },
    handle: async ({ context, caller }) => ({ status: 200, json: await listGrades(context, caller) }),
  }),
  route({
    method: 'get',
    path: `${path}/:id/certification`,
    ...forWebhooks,
    summary:
      'Return the latest certification of a webhook’s endpoint, and how the endpoint proves that it is yours',
    answers: { 200: certificationSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await showCertification(context, caller, id),
    }),
  }),
  route({
    method: 'post',
    path: `${path}/:id/certification`,
    ...forWebhooks,
    summary: 'Certify an endpoint: try it with what really happens, in the background',
    description:
      'About 70 requests with test leads are sent. Ask for the result with GET. While leads wait for the endpoint it is refused with 409, and after three runs for its host in 24 hours, over all clients, or two of yours, with 429. A run counts once the endpoint has proved that it is yours. A run that is under way is returned unchanged.',
    takesKey: true,
    answers: { 202: certificationSchema },
    handle: async ({ context, caller, id, idempotencyKey }) => ({
      status: 202,
      json: await askForCertification(context, caller, id, idempotencyKey),
    }),
  }),
]
