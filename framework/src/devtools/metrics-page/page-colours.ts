/**
 * The colours of the dashboard by purpose, light and dark. Text has a contrast of at least 4.5:1 on the
 * background and on cards, lines at least 3:1. Tones also differ in lightness, and each has its own
 * mark.
 */
export const pageColours: string = `
:root {
  color-scheme: light dark;
  --ground: #f5f3ee;
  --card: #fffefb;
  --ink: #20242c;
  --soft: #5a606b;
  --line: #e0dbd0;
  --grid: #ebe7de;
  --accent: #a8281c;
  --accent-soft: #fbe6e1;
  --good: #1f6b3a;
  --link: #1a4f8b;
  --tone-0: #8a8f98;
  --tone-1: #1f6fc4;
  --tone-2: #b96a00;
  --tone-3: #17845a;
  --tone-4: #8a3ea8;
  --tone-5: #c0342b;
  --tone-6: #0b7285;
  --tone-7: #7d7200;
  --tone-8: #5a606b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15171c;
    --card: #1c1f26;
    --ink: #e8e6e1;
    --soft: #a3a8b3;
    --line: #31353f;
    --grid: #2a2e37;
    --accent: #ff9b8a;
    --accent-soft: #43211f;
    --good: #93d0a2;
    --link: #93c0f5;
    --tone-0: #777d89;
    --tone-1: #6cb0f5;
    --tone-2: #f0a94f;
    --tone-3: #5fcf9a;
    --tone-4: #cf94ea;
    --tone-5: #ff7f6e;
    --tone-6: #59c8da;
    --tone-7: #d9cc55;
    --tone-8: #b4b9c3;
  }
}
`
