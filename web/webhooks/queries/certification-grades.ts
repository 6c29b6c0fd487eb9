import { queryOptions } from '@tanstack/react-query'
import { certificationGradesSchema } from '#core/contract/webhooks/certification-grade.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'

/** The grades that the client's webhooks have now. */
export const certificationGradesQuery = queryOptions({
  queryKey: ['webhook-configs', 'certifications'],
  queryFn: async ({ signal }) =>
    (await request(apiPath('webhook-configs', 'certifications'), certificationGradesSchema, { signal })).data,
})
