import { z } from 'zod'

/** What somebody writes about, as the form lists it. */
export const CONTACT_TOPICS = [
  'question',
  'support',
  'privacy',
  'do_not_sell',
  'do_not_contact',
  'report_call',
  'webinars',
] as const
export const contactTopicSchema = z.enum(CONTACT_TOPICS)
export type ContactTopic = z.infer<typeof contactTopicSchema>

export const CONTACT_LIMITS = { name: 120, email: 254, message: 5000, shortestMessage: 10 } as const

/** The field that people do not see and programs fill in. */
export const CONTACT_TRAP = 'website'

/** A message from the public site, for administrators. */
export const contactMessageSchema = z.object({
  id: z.uuid(),
  /** what the person has of it: "LW-7K3M9Q" */
  reference: z.string(),
  topic: contactTopicSchema,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  created_at: z.string(),
  /** null: nobody has answered it */
  answered_at: z.string().nullable(),
})
export type ContactMessage = z.infer<typeof contactMessageSchema>
