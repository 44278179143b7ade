/**
 * The colours of the page by role, light and dark. Every text and background pair has a contrast
 * of at least 4.5:1, including code on the marked line.
 */
export const pageColours: string = `
:root {
  color-scheme: light dark;
  --ground: #f5f3ee;
  --card: #fffefb;
  --sunken: #faf8f3;
  --ink: #20242c;
  --soft: #5a606b;
  --line: #e0dbd0;
  --accent: #a8281c;
  --accent-soft: #fbe6e1;
  --link: #1a4f8b;
  --marked: #fbe9e4;
  --keyword: #8a2b8f;
  --literal: #9a4a00;
  --text: #1f6b3a;
  --comment: #666b74;
  --name: #1a4f8b;
  --type: #0b6470;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15171c;
    --card: #1c1f26;
    --sunken: #191c22;
    --ink: #e8e6e1;
    --soft: #a3a8b3;
    --line: #31353f;
    --accent: #ff9b8a;
    --accent-soft: #43211f;
    --link: #93c0f5;
    --marked: #3a2324;
    --keyword: #dc9be0;
    --literal: #f0b072;
    --text: #93d0a2;
    --comment: #9aa0ab;
    --name: #93c0f5;
    --type: #7fd0d8;
  }
}
`
