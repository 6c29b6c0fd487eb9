import { z } from 'zod'
import { trimText } from '../trim-invisible.ts'

/** The topics of a message, in the order of the form. */
export const CONTACT_TOPICS = [
  'question',
  'support',
  'privacy',
  'do_not_sell',
  'do_not_contact',
  'report_call',
  'webinars',
] as const
const topicSchema = z.enum(CONTACT_TOPICS)
export type ContactTopic = z.infer<typeof topicSchema>

export const CONTACT_TOPIC_LABELS: Readonly<Record<ContactTopic, string>> = {
  question: 'A question before I sign up',
  support: 'Help with my account or leads',
  privacy: 'Privacy: what you hold of me',
  do_not_sell: 'Do not sell or share my data',
  do_not_contact: 'Do not contact me',
  report_call: 'Report a call',
  webinars: 'Webinars: tell me of the first',
}

export const CONTACT_LIMITS = { name: 120, email: 254, message: 5000, shortestMessage: 10 } as const

/** A honeypot: people do not see this field, and programs fill it in. */
export const CONTACT_TRAP = 'website'

/** The message that is stored for an address left on the webinars page. */
export const WEBINAR_INTEREST = 'Tell me of the first webinar.'

/**
 * The fields of the form (docs/contract.md §4). The address is judged like that of an account (core/domain/accounts).
 */
export const newContactMessageSchema = z.object({
  name: z
    .string('Name is required')
    .overwrite(trimText)
    .min(1, 'Name is required')
    .max(CONTACT_LIMITS.name, `Name is too long (at most ${CONTACT_LIMITS.name} characters)`),
  email: z.string('Email is required').trim(),
  topic: z.enum(CONTACT_TOPICS, 'Choose a topic'),
  message: z
    .string('Message is required')
    .overwrite(trimText)
    .min(CONTACT_LIMITS.shortestMessage, `Write at least ${CONTACT_LIMITS.shortestMessage} characters`)
    .max(CONTACT_LIMITS.message, `Message is too long (at most ${CONTACT_LIMITS.message} characters)`),
})
export type NewContactMessage = z.infer<typeof newContactMessageSchema>

/** A message from the public site, for administrators. */
export const contactMessageSchema = z.object({
  id: z.uuid(),
  /** the reference that the person has: "LW-7K3M9Q" */
  reference: z.string(),
  topic: topicSchema,
  /** empty if only an address was given */
  name: z.string(),
  email: z.string(),
  message: z.string(),
  created_at: z.string(),
  /** null means not answered yet */
  answered_at: z.string().nullable(),
})
export type ContactMessage = z.infer<typeof contactMessageSchema>
