-- Characters that nobody sees, or that change the direction of what follows: with such a character a name looks like another name. They
-- are those of Unicode's Default_Ignorable_Code_Point, the separators of lines and paragraphs, annotations, the controls of hieroglyphs, and the blank signs of Braille, Khitan and notes.
create or replace function has_invisible_character(value text) returns boolean language sql immutable as $$
  select value ~ ('[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164'
    '\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]')
$$;
