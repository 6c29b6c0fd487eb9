import { z } from 'zod'

// Zod compiles schemas with `new Function` unless told not to, which the content policy reports as a violation.
z.config({ jitless: true })
