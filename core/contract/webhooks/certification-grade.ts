import { z } from 'zod'

export const GRADES = ['A', 'B', 'C', 'D', 'F'] as const
export const gradeSchema = z.enum(GRADES)
export type Grade = z.infer<typeof gradeSchema>

/** `GET /api/v1/webhook-configs/certifications`: the grades that are valid now. */
export const certificationGradesSchema = z.object({
  data: z.array(z.object({ webhook_config_id: z.uuid(), grade: gradeSchema, finished_at: z.string() })),
})
export type CertificationGrades = z.infer<typeof certificationGradesSchema>
