/** The texts of the clinic; those of the framework are their own keys. */
export const de = {
  'home.title': 'Startseite',
  'home.member': 'Sie sind als <strong>{email}</strong> angemeldet.',
  'home.guest': 'Wählen Sie in Ruhe einen Termin: ohne Anruf, rund um die Uhr.',
  'bookings.title': 'Ihre Termine',
  'bookings.book': 'Termin buchen',
  'bookings.day': 'Tag',
  'bookings.time': 'Uhrzeit',
  'bookings.choose': 'Bitte wählen',
  'bookings.letter': 'Überweisung (PDF)',
  'bookings.booked': 'Bis zum {day} um {time} Uhr!',
  'bookings.taken':
    'Der Termin am {day} um {time} Uhr wurde gerade vergeben. Bitte wählen Sie eine andere Zeit.',
  'bookings.day.missing': 'Bitte wählen Sie einen Tag.',
  'bookings.time.missing': 'Bitte wählen Sie eine Uhrzeit.',
  'day.title': 'Termine am {day}',
  'day.link': 'Liste des Tages',
  'day.patient': 'Patient/in',
  'day.letter': 'Überweisung',
  'person.name.missing': 'Bitte geben Sie Ihren Namen ein.',
} as const
